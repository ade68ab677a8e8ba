package dev.contexture.request;

import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.token.TokenCounter;
import dev.contexture.tool.ToolRules;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants a request to hold, beside the conversation. Immutable; every {@code with}
 * method gives a changed copy.
 *
 * @param config limits and choices
 * @param agent whose memory is shown; null: none is
 * @param target the model; null: not known
 * @param instructions what stands first; none: the built-in text, if there is an agent
 * @param tools what the model may call; null: there is no registry
 * @param rules for calling them
 * @param blocks memory blocks to show in this turn, by id or label
 * @param activity what tells about recent events; null: nothing does
 * @param summarizer in place of the engine's; null: the engine's
 * @param counter counts tokens
 * @param includeSources whether the sources pool is shown
 * @param includeAnnounce whether what is announced is shown
 * @param dryRun whether nothing is stored
 */
@API(status = API.Status.STABLE, since = "0.1")
public record RequestDraft(
    ContextConfig config,
    @Nullable String agent,
    Providers.@Nullable Target target,
    List<String> instructions,
    @Nullable List<ToolDef> tools,
    ToolRules rules,
    List<String> blocks,
    @Nullable ActivityRenderer activity,
    @Nullable Summarizer summarizer,
    TokenCounter counter,
    boolean includeSources,
    boolean includeAnnounce,
    boolean dryRun) {
  /** Asks for nothing yet. */
  public static final RequestDraft EMPTY =
      new RequestDraft(
          ContextConfig.DEFAULT,
          null,
          null,
          List.of(),
          null,
          ToolRules.NONE,
          List.of(),
          null,
          null,
          TokenCounter.O200K_BASE,
          false,
          false,
          false);

  public RequestDraft {
    instructions = List.copyOf(instructions);
    tools = tools == null ? null : List.copyOf(tools);
    blocks = List.copyOf(blocks);
  }

  public RequestDraft withConfig(ContextConfig to) {
    return with(to, agent, target, instructions, tools, rules, blocks, activity);
  }

  public RequestDraft withAgent(String to) {
    return with(config, to, target, instructions, tools, rules, blocks, activity);
  }

  public RequestDraft withTarget(Providers.Target to) {
    return with(config, agent, to, instructions, tools, rules, blocks, activity);
  }

  public RequestDraft withInstructions(List<String> to) {
    return with(config, agent, target, to, tools, rules, blocks, activity);
  }

  public RequestDraft withTools(@Nullable List<ToolDef> to) {
    return with(config, agent, target, instructions, to, rules, blocks, activity);
  }

  public RequestDraft withRules(ToolRules to) {
    return with(config, agent, target, instructions, tools, to, blocks, activity);
  }

  public RequestDraft withBlocks(List<String> to) {
    return with(config, agent, target, instructions, tools, rules, to, activity);
  }

  public RequestDraft withActivity(@Nullable ActivityRenderer to) {
    return with(config, agent, target, instructions, tools, rules, blocks, to);
  }

  private RequestDraft with(
      ContextConfig newConfig,
      @Nullable String newAgent,
      Providers.@Nullable Target newTarget,
      List<String> newInstructions,
      @Nullable List<ToolDef> newTools,
      ToolRules newRules,
      List<String> newBlocks,
      @Nullable ActivityRenderer newActivity) {
    return new RequestDraft(
        newConfig,
        newAgent,
        newTarget,
        newInstructions,
        newTools,
        newRules,
        newBlocks,
        newActivity,
        summarizer,
        counter,
        includeSources,
        includeAnnounce,
        dryRun);
  }

  public RequestDraft withSummarizer(@Nullable Summarizer to) {
    return with(to, counter, includeSources, includeAnnounce, dryRun);
  }

  public RequestDraft withCounter(TokenCounter to) {
    return with(summarizer, to, includeSources, includeAnnounce, dryRun);
  }

  public RequestDraft withSources(boolean include) {
    return with(summarizer, counter, include, includeAnnounce, dryRun);
  }

  public RequestDraft withAnnounce(boolean include) {
    return with(summarizer, counter, includeSources, include, dryRun);
  }

  public RequestDraft asDryRun() {
    return with(summarizer, counter, includeSources, includeAnnounce, true);
  }

  private RequestDraft with(
      @Nullable Summarizer newSummarizer,
      TokenCounter newCounter,
      boolean sources,
      boolean announce,
      boolean dry) {
    return new RequestDraft(
        config,
        agent,
        target,
        instructions,
        tools,
        rules,
        blocks,
        activity,
        newSummarizer,
        newCounter,
        sources,
        announce,
        dry);
  }
}

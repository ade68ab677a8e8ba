package dev.contexture;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.request.RequestOptions;
import dev.contexture.engine.request.RequestPipeline;
import dev.contexture.engine.request.RequestSource;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.ActivityRenderer;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.request.Providers;
import dev.contexture.request.ToolDef;
import dev.contexture.token.TokenCounter;
import dev.contexture.tool.ToolRule;
import dev.contexture.tool.ToolRules;
import dev.contexture.view.Adds;
import java.util.Collection;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what a model is told.
 *
 * <pre>{@code
 * AssembledContext context =
 *     ContextBuilder.of(memory, config)
 *         .forAgent("entropy")
 *         .withMessages(browser)
 *         .withTools(tools)
 *         .withBaseInstructions("You are Entropy, a task breakdown specialist.")
 *         .withToolRules(rules)
 *         .build();
 * }</pre>
 *
 * Collects values; confined to one thread. What a provider is sent is made in the same way by
 * {@code turn.request(model).agent(id)}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContextBuilder {
  private final MemoryStore memory;
  private final RequestOptions options = new RequestOptions();
  private @Nullable ContextBrowser conversation;
  private @Nullable TurnId active;

  private ContextBuilder(MemoryStore memory, ContextConfig config) {
    this.memory = memory;
    options.config = config;
  }

  public static ContextBuilder of(MemoryStore memory, ContextConfig config) {
    return new ContextBuilder(memory, config);
  }

  /** Whose memory is shown. */
  public ContextBuilder forAgent(String agent) {
    options.agent = agent;
    return this;
  }

  /** The conversation; its memory is repeated until an epoch ends, unless configured otherwise. */
  public ContextBuilder withMessages(ContextBrowser browser) {
    conversation = browser;
    return this;
  }

  /** The registry of tools. */
  public ContextBuilder withTools(List<ToolDef> tools) {
    options.tools = List.copyOf(tools);
    return this;
  }

  /** What stands first, word for word, in place of the built-in text. */
  public ContextBuilder withBaseInstructions(String text) {
    options.instructions.clear();
    options.instructions.add(text);
    return this;
  }

  /**
   * How tools are to be called.
   *
   * @throws ContextureException {@code rule_invalid} if the rules cannot hold together
   */
  public ContextBuilder withToolRules(Collection<? extends ToolRule> rules) {
    options.rules = ToolRules.of(rules);
    return this;
  }

  /** The model that it is for: its limits, its counts and what it can read. */
  public ContextBuilder withModelInfo(Providers.Target target) {
    options.target = target;
    return this;
  }

  /** Memory blocks to show in this turn even if they are not pinned, by id or label. */
  public ContextBuilder withBatchBlocks(List<String> idsOrLabels) {
    options.blocks = List.copyOf(idsOrLabels);
    return this;
  }

  /** The turn that is being worked on; by default the open one. */
  public ContextBuilder withActiveBatch(TurnId turn) {
    active = turn;
    return this;
  }

  /** Tells about recent events, for example {@link RecentActivity}. */
  public ContextBuilder withActivity(ActivityRenderer renderer) {
    options.activity = renderer;
    return this;
  }

  /** Writes summaries in place of the engine's summariser. */
  public ContextBuilder withSummarizer(Summarizer summarizer) {
    options.summarizer = summarizer;
    return this;
  }

  /** Counts tokens in place of the default counter. */
  public ContextBuilder withTokenCounter(TokenCounter counter) {
    options.counter = counter;
    return this;
  }

  /** What the model is told beside what was said; by default everything. */
  public ContextBuilder withAdds(Adds adds) {
    options.adds = adds;
    return this;
  }

  /** Stores nothing: no compaction, no epoch, no references. */
  public ContextBuilder dryRun() {
    options.dryRun = true;
    return this;
  }

  /**
   * Builds the request.
   *
   * @throws ContextureException {@code invalid_argument} without an agent, {@code budget_too_small}
   *     if it cannot fit, {@code build_failed} if a part that must be there cannot be read
   */
  public AssembledContext build() {
    if (options.agent == null || options.agent.isBlank()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "agent", null, "the id of an agent; call forAgent");
    }
    checkActive();
    RequestSource source =
        conversation == null
            ? new RequestSource(memory, null, null, null)
            : conversation.source(memory);
    return AssembledContext.of(RequestPipeline.context(options, source));
  }

  private void checkActive() {
    if (active == null) {
      return;
    }
    boolean open = conversation != null && conversation.timeline().isActive(active);
    if (!open) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "active batch",
          active.value(),
          "the open turn of the conversation given to withMessages");
    }
  }
}

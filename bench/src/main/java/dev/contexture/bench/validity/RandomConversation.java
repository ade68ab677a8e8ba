package dev.contexture.bench.validity;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.model.RequestViolation;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.MemoryRefresh;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.tool.ToolRule;
import dev.contexture.tool.ToolRules;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Adds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One random conversation with random settings, in which models of all providers take turns. Each
 * request is judged anew, as a whole, by the rules of its provider. Confined to one thread.
 */
final class RandomConversation {
  static final Scope PROJECT = Scope.of("bench", "validity");

  /** Refusals that a caller has to expect. */
  private static final Set<String> EXPECTED =
      Set.of(
          "budget_too_small",
          "context_too_large",
          "calls_waiting",
          "param_owned",
          "param_rejected");

  private static final Binary PIXEL = Binary.of(new byte[] {1, 2, 3, 4});
  private static final List<String[]> MODELS =
      List.of(
          new String[] {"anthropic", "claude-opus-5"},
          new String[] {"anthropic", "claude-fable-5-1"},
          new String[] {"anthropic", "claude-sonnet-4-5"},
          new String[] {"anthropic", "claude-of-tomorrow"},
          new String[] {"openai_chat", "gpt-5.6-terra"},
          new String[] {"openai_chat", "gpt-4.1"},
          new String[] {"openai_chat", "some-local-model"},
          new String[] {"openai_responses", "gpt-5.6-terra"},
          new String[] {"gemini", "gemini-3.5-flash"},
          new String[] {"gemini", "gemini-2.5-flash"});
  private static final List<ToolDef> TOOLS =
      List.of(
          new ToolDef("look", "looks", "{\"type\":\"object\",\"properties\":{}}"),
          new ToolDef("react.read", "reads", "{\"type\":\"object\"}"),
          new ToolDef(
              "1 odd name",
              "does it",
              "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}"));

  private final SplittableRandom random;
  private final RandomAnswers answers;
  private final String agent;
  private final ContextBrowser chat;
  private final MemoryStore memory;
  private final Contexture engine;
  private final ContextConfig config;
  private final boolean hasAgent;
  private final boolean hasTools;
  private final boolean including;
  private int number;

  /** How many requests were built. */
  int built;

  /** What was refused, by code. */
  final Map<String, Integer> refused = new TreeMap<>();

  /** What is wrong with requests that were built; empty: nothing. */
  final List<String> invalid = new ArrayList<>();

  RandomConversation(Contexture engine, long seed) {
    this.engine = engine;
    random = new SplittableRandom(seed);
    answers = new RandomAnswers(random);
    chat = engine.browser(PROJECT.user("u").conversation("c" + Long.toUnsignedString(seed, 36)));
    agent = "a" + Long.toUnsignedString(seed, 36); // each has a memory of its own
    memory = engine.memory(PROJECT).actingAs(Actor.system());
    hasAgent = random.nextInt(3) > 0;
    hasTools = random.nextInt(4) > 0;
    including = random.nextBoolean();
    config = config();
  }

  private ContextConfig config() {
    CompressionStrategy strategy =
        switch (random.nextInt(5)) {
          case 0 -> new CompressionStrategy.Truncate(1 + random.nextInt(8));
          case 1 ->
              new CompressionStrategy.RecursiveSummarization(1 + random.nextInt(6), null, null);
          case 2 -> new CompressionStrategy.Compaction(CompactionPolicy.ECONOMICAL);
          case 3 -> new CompressionStrategy.Compaction(CompactionPolicy.STANDARD);
          default -> CompressionStrategy.DEFAULT;
        };
    return ContextConfig.DEFAULT
        .withLimits(
            random.nextInt(3) == 0
                ? ModelContextLimits.DEFAULT
                : new ModelContextLimits(1_200 + random.nextInt(6_000), 200, 500, 200))
        .withMessagesCap(random.nextInt(4) == 0 ? 2 + random.nextInt(20) : 500)
        .withRefresh(random.nextInt(3) == 0 ? MemoryRefresh.EVERY_BUILD : null)
        .withStrategy(strategy);
  }

  private TurnSettings settings() {
    TurnSettings settings = TurnSettings.NONE;
    if (random.nextInt(3) == 0) {
      settings =
          settings.withAdds(
              new Adds(
                  random.nextBoolean(),
                  random.nextBoolean(),
                  random.nextBoolean(),
                  random.nextBoolean()));
    }
    if (random.nextInt(4) == 0) {
      settings =
          settings.withTurnLimit(
              new TurnLimit(OptionalInt.of(random.nextInt(4)), OptionalInt.empty()));
    }
    return settings;
  }

  /** Plays some turns. */
  void play() {
    if (random.nextInt(6) == 0) {
      memory.putAgent(agent, null, null);
    }
    for (int turn = 0; turn < 1 + random.nextInt(5); turn++) {
      TurnStart start = TurnStart.prompt("go " + answers.text()).agent(agent).settings(settings());
      if (random.nextInt(6) == 0) {
        start.attach(new Attachment("a.png", "image/png", null, PIXEL, "a picture"));
      }
      Turn open = chat.startTurn(start);
      for (int step = 1 + random.nextInt(6); step > 0; step--) {
        step(open);
      }
      close(open);
    }
  }

  private void close(Turn open) {
    switch (random.nextInt(8)) {
      case 0 -> open.abort("wrong");
      case 1 -> open.interrupt("because");
      default -> open.finish(answers.text() + "done");
    }
  }

  private void step(Turn turn) {
    switch (random.nextInt(12)) {
      case 0 -> turn.contribute(Block.builder(BlockType.REACT_NOTE).text(answers.text() + "n"));
      case 1 ->
          turn.contribute(
              Block.builder(BlockType.REACT_TOOL_RESULT)
                  .toolCallId("tc_late" + number++)
                  .text("late"));
      case 2 -> remember();
      case 3 ->
          chat.setSourcesPool(
              List.of(
                  PoolSource.read(
                      JsonObject.builder().put("title", "T" + number++).put("text", "x").build())));
      case 4 ->
          turn.hide(BlockPath.userPrompt(turn.id()), random.nextBoolean() ? "" : "hidden here");
      case 5 -> ask(turn, false);
      default -> ask(turn, true);
    }
  }

  private void remember() {
    String label = "b" + number++;
    memory.createBlock(
        agent,
        BlockSpec.of(label, random.nextBoolean() ? MemoryBlockType.CORE : MemoryBlockType.WORKING)
            .content(answers.text())
            .pinned(random.nextBoolean()));
    if (random.nextBoolean()) {
      memory.deleteBlock(agent, label);
    }
  }

  /** Asks some models the same; one of them may answer. */
  private void ask(Turn turn, boolean answered) {
    int others = random.nextInt(3);
    for (int i = 0; i < others; i++) {
      built(turn, answers.pick(MODELS));
    }
    String[] model = answers.pick(MODELS);
    Optional<ContextRequest> request = built(turn, model);
    if (request.isPresent() && answered) {
      List<String> names = hasTools ? names(request.get()) : List.of();
      Reply reply = turn.record(request.get(), answers.of(model[0], model[1], names));
      reply.calls().forEach(call -> answer(turn, call));
    }
  }

  private Optional<ContextRequest> built(Turn turn, String[] model) {
    try {
      ContextRequest request = request(turn, model).build();
      built++;
      judge(request);
      return Optional.of(request);
    } catch (ContextureException problem) {
      String code = problem.code().wireName();
      refused.merge(code, 1, Integer::sum);
      boolean empty = String.valueOf(problem.getMessage()).contains("messages_empty");
      if (!EXPECTED.contains(code) && !empty) { // who hides all that was said has nothing to send
        invalid.add(code + ": " + problem.getMessage());
      }
      settle(turn);
      return Optional.empty();
    }
  }

  /** Calls that wait for a result get one, sooner or later. */
  private void settle(Turn turn) {
    turn.waitingCalls().forEach(call -> turn.answer(call, "at last"));
  }

  private RequestBuilder request(Turn turn, String[] model) {
    RequestBuilder builder =
        turn
            .request(model[0], model[1])
            .config(config)
            .prefixCheck(LedgerSettings.Mode.WARN)
            .includeSources(including)
            .includeAnnounce(including)
            .stream(random.nextBoolean());
    if (hasAgent) {
      builder.agent(agent).activity(engine.activity(PROJECT));
    }
    if (hasTools) {
      builder.tools(TOOLS);
      if (random.nextBoolean()) {
        builder.toolRules(ToolRules.of(List.of(new ToolRule.MaxCalls("look", 2))));
      }
    }
    if (random.nextBoolean()) {
      builder.instructions("You are Atlas. " + answers.text());
    }
    if (random.nextInt(5) == 0) {
      new RandomAsk(random).to(builder, hasTools ? TOOLS : List.of());
    }
    return builder;
  }

  /** The tools by the names that the body gives them. */
  private static List<String> names(ContextRequest request) {
    List<String> names = new ArrayList<>();
    Map<String, String> aliases = request.request().aliases();
    for (ToolDef tool : TOOLS) {
      names.add(
          aliases.entrySet().stream()
              .filter(alias -> alias.getValue().equals(tool.name()))
              .map(Map.Entry::getKey)
              .findFirst()
              .orElse(tool.name()));
    }
    return names;
  }

  private void answer(Turn turn, ToolCall call) {
    switch (random.nextInt(8)) {
      case 0 -> turn.fail(call, "it failed " + answers.text());
      case 1 ->
          turn.answer(
              call.id(),
              List.of(new ResultPart.Text("see"), new ResultPart.Data("image/png", PIXEL)),
              false);
      case 2 -> turn.answer(call, "");
      case 3 -> {} // forgotten
      default -> turn.answer(call, answers.text() + "result");
    }
  }

  private void judge(ContextRequest request) {
    String body = request.body();
    for (RequestViolation violation :
        request.target().format().check(request.target().model(), body)) {
      if (!violation.warning()) {
        invalid.add(
            request.target().model().model()
                + " "
                + violation.code()
                + " at "
                + violation.pointer()
                + ": "
                + violation.message());
      }
    }
    ModelContextLimits limits = request.metadata().limits().limits();
    long most = limits.maxTokens() - limits.reservedResponseTokens();
    long total = request.metadata().tokens().total();
    if (total > most) {
      invalid.add(request.target().model().model() + " has " + total + " tokens of " + most);
    }
  }
}

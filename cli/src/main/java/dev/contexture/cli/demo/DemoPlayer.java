package dev.contexture.cli.demo;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.render.RenderCall;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.Finish;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.HidePlanner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Plays a script through the engine: what the user says, what a model would answer, what tools gave
 * and what was remembered meanwhile. Every answer belongs to a request that was built for it.
 * Confined to one thread.
 */
final class DemoPlayer {
  private static final String LOCAL = "local";
  private static final Duration STEP = Duration.ofSeconds(9);
  private static final long CACHEABLE_TOKENS = 1_024;
  private static final Duration CACHE_LIFE = Duration.ofMinutes(5);
  private static final long UNCACHED_TOKENS = 14;
  private static final int CHARS_PER_TOKEN = 4;

  /** What the shop spends on a call: small, so that one sees how a budget fills. */
  private static final ContextConfig BUDGET =
      ContextConfig.DEFAULT.withLimits(new ModelContextLimits(8_000, 1_200, 5_000, 1_000));

  /** The time in the script. Set by one thread, read by any. */
  static final class Clock implements InstantSource {
    private volatile Instant now = Instant.EPOCH;

    @Override
    public Instant instant() {
      return now;
    }
  }

  private final Contexture engine;
  private final Clock clock;
  private final JsonObject script;
  private final ContextBrowser chat;
  private final DemoMemory memory;
  private long sentTokens;
  private Instant sentAt = Instant.EPOCH;
  private int answers;

  DemoPlayer(Contexture engine, Clock clock, JsonObject script) {
    this.engine = engine;
    this.clock = clock;
    this.script = script;
    this.chat = engine.browser(conversation(script));
    this.memory = new DemoMemory(engine.memory(Scope.of(LOCAL, LOCAL)));
  }

  /** Where the script takes place. */
  static Scope.OfConversation conversation(JsonObject script) {
    return Scope.of(LOCAL, LOCAL)
        .user(text(script, "user"))
        .conversation(text(script, "conversation"));
  }

  void play() {
    List<JsonObject> turns = objects(script, "turns");
    clock.now = Instant.parse(text(turns.getFirst(), "at")).minus(Duration.ofHours(1));
    memory.prepare(script);
    for (JsonObject turn : turns) {
      play(turn);
    }
    chat.setTitle(text(script, "title"), true);
  }

  private void play(JsonObject planned) {
    clock.now = Instant.parse(text(planned, "at"));
    TurnStart start =
        TurnStart.prompt(text(planned, "prompt"))
            .id(TurnId.of(text(planned, "id")))
            .agent(text(script, "agent"));
    for (JsonObject file : objects(planned, "attachments")) {
      start.attach(Attachment.text(text(file, "name"), text(file, "mime"), text(file, "text")));
    }
    Turn turn = chat.startTurn(start);
    for (JsonObject step : objects(planned, "steps")) {
      clock.now = clock.now.plus(STEP);
      String kind = step.keys().iterator().next();
      play(turn, kind, step.find(kind).orElseThrow());
    }
  }

  private void play(Turn turn, String kind, JsonValue value) {
    switch (kind) {
      case "say" -> say(turn, (JsonObject) value);
      case "results" -> items(value).forEach(result -> answer(turn, result));
      case "sources" -> chat.mergeSources(items(value).stream().map(PoolSource::read).toList());
      case "edit" -> memory.edit((JsonObject) value);
      case "announce" -> announce(turn, (JsonArray) value);
      case "hide" -> hide(turn, (JsonObject) value);
      case "finish" -> turn.finish(finish((JsonObject) value));
      case "compact" -> compact((JsonObject) value);
      case "ask" -> request(turn);
      default -> throw new IllegalStateException("the script has a step '" + kind + "'");
    }
  }

  /** Builds a request and records what the model answered to it. */
  private void say(Turn turn, JsonObject said) {
    ContextRequest request = request(turn);
    List<JsonValue> content = new ArrayList<>();
    String text = text(said, "text");
    if (!text.isEmpty()) {
      content.add(JsonObject.builder().put("type", "text").put("text", text).build());
    }
    List<JsonObject> calls = objects(said, "calls");
    for (JsonObject call : calls) {
      content.add(
          JsonObject.builder()
              .put("type", "tool_use")
              .put("id", text(call, "id"))
              .put("name", text(call, "tool"))
              .put("input", call.object("input").orElseThrow())
              .build());
    }
    answers++;
    JsonObject answer =
        JsonObject.builder()
            .put("id", "msg_demo_" + answers)
            .put("type", "message")
            .put("role", "assistant")
            .put("model", text(script, "model"))
            .put("content", new JsonArray(content))
            .put("stop_reason", calls.isEmpty() ? "end_turn" : "tool_use")
            .put("usage", usage(request, content))
            .build();
    turn.record(request, answer.toJson());
  }

  private ContextRequest request(Turn turn) {
    List<ToolDef> tools = new ArrayList<>();
    for (JsonObject tool : objects(script, "tools")) {
      tools.add(
          new ToolDef(
              text(tool, "name"),
              text(tool, "description"),
              tool.object("input_schema").orElseThrow().toJson()));
    }
    return turn.request(text(script, "model"))
        .config(BUDGET)
        .agent(text(script, "agent"))
        .instructions(text(script, "instructions"))
        .tools(tools)
        .activity(engine.activity(Scope.of(LOCAL, LOCAL)))
        .includeSources(true)
        .includeAnnounce(true)
        .build();
  }

  /** What the provider would count: what was sent before is read from its cache while it lives. */
  private JsonObject usage(ContextRequest request, List<JsonValue> said) {
    long tokens = request.estimate().tokens();
    boolean warm =
        request.divergence().isEmpty()
            && sentTokens >= CACHEABLE_TOKENS
            && sentAt.plus(CACHE_LIFE).isAfter(clock.now);
    long read = warm ? Math.min(sentTokens, tokens - UNCACHED_TOKENS) : 0;
    long written = tokens >= CACHEABLE_TOKENS ? tokens - UNCACHED_TOKENS - read : 0;
    sentTokens = tokens - UNCACHED_TOKENS;
    sentAt = clock.now;
    return JsonObject.builder()
        .put("input_tokens", tokens - read - written)
        .put("cache_creation_input_tokens", written)
        .put("cache_read_input_tokens", read)
        .put("output_tokens", new JsonArray(said).toJson().length() / CHARS_PER_TOKEN)
        .build();
  }

  private static void answer(Turn turn, JsonObject result) {
    turn.answer(
        call(result), List.of(new ResultPart.Text(text(result, "text"))), result.isTrue("error"));
  }

  private static CallId call(JsonObject named) {
    return CallId.of("tc_" + text(named, "call"));
  }

  private static void announce(Turn turn, JsonArray texts) {
    List<Block.Builder> blocks = new ArrayList<>();
    for (JsonValue text : texts.items()) {
      blocks.add(
          Block.builder(BlockType.SYSTEM_MESSAGE)
              .author(Author.SYSTEM)
              .text(((JsonString) text).value()));
    }
    turn.announce(blocks);
  }

  private static void hide(Turn turn, JsonObject hidden) {
    HidePlanner.Outcome outcome =
        turn.hide(BlockPath.result(turn.id(), call(hidden)), text(hidden, "replacement"));
    if (outcome.status() != HidePlanner.Status.OK) {
      throw new IllegalStateException("the script hides what it may not: " + outcome);
    }
  }

  private static Finish finish(JsonObject json) {
    List<Long> sources = new ArrayList<>();
    for (JsonValue sid : json.array("sources_used").map(JsonArray::items).orElse(List.of())) {
      sources.add(((JsonNumber) sid).asLong().orElseThrow());
    }
    List<String> followups =
        JsonFields.of(json, Set.of("sources_used", "followups")).strings("followups");
    return new Finish(null, sources, followups, null, null, null);
  }

  /** Compacts with the summary that a model would have written. */
  private void compact(JsonObject json) {
    String summary = text(json, "summary");
    JsonObject options = json.object("options").orElseThrow();
    CompactionReport report =
        chat.compact(RenderCall.read(options).options().withSummarizer(unused -> summary));
    if (report.summary().isEmpty()) {
      throw new IllegalStateException("the script compacts in vain: " + report.describe());
    }
  }

  static String text(JsonObject json, String name) {
    return json.string(name)
        .orElseThrow(() -> new IllegalStateException("the script has no " + name + " in " + json));
  }

  static List<JsonObject> objects(JsonObject json, String name) {
    return json.array(name).map(DemoPlayer::items).orElse(List.of());
  }

  private static List<JsonObject> items(JsonValue array) {
    return ((JsonArray) array).items().stream().map(JsonObject.class::cast).toList();
  }
}

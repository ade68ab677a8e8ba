package dev.contexture.simulator.replay;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.CachePolicy;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.Finish;
import dev.contexture.turn.TurnStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Replays a recorded session through the engine: what was said is contributed to turns, and where
 * the model was called a request is built. Equal sessions and settings give equal requests.
 * Confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SessionReplay {
  private static final int OUTPUT_TOKENS = 4_096;
  private static final int HIDDEN_ROUNDS_BACK = 2;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Scope.OfConversation SCOPE =
      Scope.of("replay", "replay").user("replay").conversation("replay");
  private static final String AGENT = "replay";
  private static final String MEMORY = "notes";

  /**
   * Settings of a replay.
   *
   * @param provider the wire format; null: the first that the model is known in
   * @param model whom requests are for
   * @param limit what a request must not exceed, in tokens
   * @param policy when and how it is compacted
   * @param placement which blocks are marked
   * @param situation what happens around it
   */
  public record Settings(
      @Nullable String provider,
      String model,
      long limit,
      CompactionPolicy policy,
      CachePolicy.Placement placement,
      Situation situation) {
    public static Settings of(
        @Nullable String provider, String model, long limit, CompactionPolicy policy) {
      CachePolicy.Placement usual = CachePolicy.DEFAULT.placement();
      return new Settings(provider, model, limit, policy, usual, Situation.PLAIN);
    }

    public Settings with(CachePolicy.Placement where) {
      return new Settings(provider, model, limit, policy, where, situation);
    }

    public Settings with(Situation around) {
      return new Settings(provider, model, limit, policy, placement, around);
    }

    /** Everything but the answer within the limit. */
    private ContextConfig config() {
      long memory = Math.max(1, 2L * situation.memoryTokens);
      ModelContextLimits limits =
          new ModelContextLimits(
              limit + OUTPUT_TOKENS, memory, Math.max(1, limit - memory), OUTPUT_TOKENS);
      return ContextConfig.DEFAULT
          .withLimits(limits)
          .withMessagesCap(Integer.MAX_VALUE)
          .withStrategy(new CompressionStrategy.Compaction(policy));
    }
  }

  /**
   * The circumstances of a session.
   *
   * @param gap the time between two requests
   * @param every how many calls of the model become one request
   * @param hideEvery after how many requests a recent result is hidden; 0: never
   * @param memoryTokens the size of a memory block that is another one in each request; 0: none
   */
  public record Situation(Duration gap, int every, int hideEvery, int memoryTokens) {
    /** Every call is a request, a second after the last, and nothing else happens. */
    public static final Situation PLAIN = new Situation(Duration.ofSeconds(1), 1, 0, 0);

    public Situation withGap(Duration time) {
      return new Situation(time, every, hideEvery, memoryTokens);
    }

    public Situation withEvery(int calls) {
      return new Situation(gap, calls, hideEvery, memoryTokens);
    }

    public Situation withHideEvery(int requests) {
      return new Situation(gap, every, requests, memoryTokens);
    }

    public Situation withMemory(int tokens) {
      return new Situation(gap, every, hideEvery, tokens);
    }
  }

  private final RecordedSession session;
  private final RecordedBlocks blocks;
  private final Settings settings;
  private final Contexture engine;
  private final AtomicLong clock;
  private final ContextBrowser chat;
  private final List<Block.Builder> waiting = new ArrayList<>();
  private @Nullable Turn turn;
  private int requests;

  private SessionReplay(
      RecordedSession session, Settings settings, Contexture engine, AtomicLong clock) {
    this.session = session;
    this.blocks = RecordedBlocks.of(session);
    this.settings = settings;
    this.engine = engine;
    this.clock = clock;
    this.chat = engine.browser(SCOPE);
  }

  /**
   * Replays a session: tells of every request, in order.
   *
   * @param engine makes an engine with its store in an empty folder, which is deleted afterwards;
   *     its clock and ids become the replay's
   */
  public static void run(
      Function<Path, Contexture.Builder> engine,
      RecordedSession session,
      Settings settings,
      Consumer<ContextRequest> out) {
    runWhile(
        engine,
        session,
        settings,
        request -> {
          out.accept(request);
          return true;
        });
  }

  /**
   * Replays a session as {@link #run} does, until somebody has seen enough.
   *
   * @param goOn is told of every request, in order; false ends the replay
   */
  public static void runWhile(
      Function<Path, Contexture.Builder> engine,
      RecordedSession session,
      Settings settings,
      Predicate<ContextRequest> goOn) {
    AtomicLong millis = new AtomicLong(START.toEpochMilli());
    Path folder = folder();
    try (Contexture running =
        engine
            .apply(folder)
            .clock(() -> Instant.ofEpochMilli(millis.get()))
            .ids(new IdGenerator(new AtomicLong()::incrementAndGet))
            .build()) {
      new SessionReplay(session, settings, running, millis).run(goOn);
    } finally {
      delete(folder);
    }
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("contexture-replay");
    } catch (IOException failure) {
      throw new UncheckedIOException("there is no folder for a replay", failure);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("the folder of a replay stays: " + folder, failure);
    }
  }

  private void run(Predicate<ContextRequest> goOn) {
    int calls = 0;
    for (RecordedSession.Event event : session.events()) {
      switch (event) {
        case RecordedSession.Event.Said said -> say(said);
        case RecordedSession.Event.Request _unused -> {
          if (turn != null && calls++ % settings.situation.every == 0) {
            clock.addAndGet(settings.situation.gap.toMillis());
            if (!goOn.test(request(contribute()))) {
              return;
            }
          }
        }
      }
    }
  }

  /** What was said waits for the next request, so that it is one commit. */
  private void say(RecordedSession.Event.Said said) {
    TurnId own = TurnId.of("t" + said.turn());
    if (turn == null || !turn.id().equals(own)) {
      if (turn != null) {
        contribute().finish(Finish.recorded());
      }
      turn = chat.startTurn(TurnStart.prompt("").id(own));
    }
    waiting.add(blocks.block(said, own));
  }

  private Turn contribute() {
    Turn open = Objects.requireNonNull(turn);
    if (!waiting.isEmpty()) {
      open.contribute(waiting.toArray(Block.Builder[]::new));
      waiting.clear();
    }
    return open;
  }

  private ContextRequest request(Turn open) {
    requests++;
    if (settings.situation.hideEvery > 0 && requests % settings.situation.hideEvery == 0) {
      hide(open);
    }
    RequestBuilder request =
        open.request(settings.provider, settings.model)
            .instructions(text(session.system()))
            .tools(blocks.tools())
            .config(settings.config())
            .cache(CachePolicy.DEFAULT.withPlacement(settings.placement))
            .maxOutputTokens(OUTPUT_TOKENS);
    if (settings.situation.memoryTokens > 0) {
      remember();
      request.agent(AGENT);
    }
    return request.build();
  }

  /** Hides a result of some rounds back, as an agent does that has read it. */
  private static void hide(Turn open) {
    List<BlockPath> results = new ArrayList<>();
    for (TimelineEntry entry : open.snapshot().window().entries()) {
      if (entry.block().type().isResult()) {
        entry.block().path().ifPresent(results::add);
      }
    }
    if (results.size() > HIDDEN_ROUNDS_BACK) {
      BlockPath path = results.get(results.size() - 1 - HIDDEN_ROUNDS_BACK);
      open.hide(path, "[read and done]", Visibility.Reason.AGENT);
    }
  }

  /** Writes memory that no request had yet. */
  private void remember() {
    String text = "As of request " + requests + ": ";
    String now =
        text + "x".repeat(Math.max(0, 4 * settings.situation.memoryTokens - text.length()));
    MemoryStore memory = engine.memory(SCOPE.owner().scope());
    if (requests == 1) {
      memory.createBlock(AGENT, BlockSpec.of(MEMORY, MemoryBlockType.CORE).content(now));
    } else {
      memory.updateBlockText(AGENT, MEMORY, now);
    }
  }

  private static String text(JsonValue value) {
    return value instanceof JsonString plain ? plain.value() : value.toJson();
  }
}

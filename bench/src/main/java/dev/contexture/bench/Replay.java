package dev.contexture.bench;

import dev.contexture.block.BlockPath;
import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.Compactor;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.Message;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.render.Renderer;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.Growth;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerView;
import dev.contexture.request.Origin;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.SystemPart;
import dev.contexture.timeline.Entry;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.CachePoint;
import dev.contexture.view.Dialect;
import dev.contexture.view.Filters;
import dev.contexture.view.Hiding;
import dev.contexture.view.Part;
import dev.contexture.view.Role;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Replays a recorded session through timeline, compaction, render and the writer of Anthropic
 * requests, as the engine does. Confined to one thread.
 */
final class Replay {
  private static final TokenMeter METER = TokenMeter.of(TokenCounter.CHARS4);
  private static final RenderOptions OPTIONS =
      RenderOptions.defaults().withDialect(Dialect.NATIVE).withMeter(METER);
  private static final Providers.Target TARGET =
      BuiltInProviders.of(ModelCatalogue.shipped()).resolve("anthropic", "claude-sonnet-4-5");
  private static final int OUTPUT_TOKENS = 4_096;
  private static final int HIDDEN_ROUNDS_BACK = 2;

  /**
   * How a session is replayed.
   *
   * @param limit what a request must not exceed, in tokens
   * @param policy when and how it is compacted
   * @param placement which blocks are marked
   * @param every how many calls of the model become one request
   * @param hideEvery after how many requests a recent result is hidden; 0: never
   * @param memoryTokens the size of a memory block that is another one in each request; 0: none
   */
  record Settings(
      long limit,
      CompactionPolicy policy,
      CachePolicy.Placement placement,
      int every,
      int hideEvery,
      int memoryTokens) {
    static Settings of(long limit, CompactionPolicy policy) {
      return new Settings(limit, policy, CachePolicy.DEFAULT.placement(), 1, 0, 0);
    }

    Settings withPlacement(CachePolicy.Placement where) {
      return new Settings(limit, policy, where, every, hideEvery, memoryTokens);
    }

    Settings withEvery(int calls) {
      return new Settings(limit, policy, placement, calls, hideEvery, memoryTokens);
    }

    Settings withHideEvery(int requests) {
      return new Settings(limit, policy, placement, every, requests, memoryTokens);
    }

    Settings withMemory(int tokens) {
      return new Settings(limit, policy, placement, every, hideEvery, tokens);
    }
  }

  /**
   * A request that an agent would have sent.
   *
   * @param system the system prompt
   * @param messages the conversation
   * @param request its form for the provider, with the marks
   */
  record Sent(String system, List<Message> messages, ProviderRequest request) {
    boolean isMarked(int message, int part) {
      return request.blocks().stream()
          .anyMatch(
              block ->
                  block.message() == message && block.part() == part && block.mark().isPresent());
    }

    boolean isSystemMarked() {
      return request.blocks().stream()
          .anyMatch(block -> block.message() < 0 && block.mark().isPresent());
    }
  }

  private final RecordedSession session;
  private final Settings settings;
  private final ReplayedTimeline replayed = new ReplayedTimeline();
  private final Renderer renderer = new Renderer();
  private final List<Placed> placed;
  private final Growth growth = new Growth();
  private final String system;
  private final long around;
  private long grown;
  private int requests;

  /** A placement of marks, with what it sent last. Confined to one thread. */
  private static final class Placed {
    private final CachePolicy.Placement placement;
    private final Consumer<Sent> out;
    private final RequestWriter writer = TARGET.format().writer();
    private LedgerView last = LedgerView.NONE;

    Placed(CachePolicy.Placement placement, Consumer<Sent> out) {
      this.placement = placement;
      this.out = out;
    }

    void write(RequestInput.Builder input, CachePolicy policy, Function<ProviderRequest, Sent> to) {
      ProviderRequest request =
          writer.write(input.cache(policy.withPlacement(placement)).last(last).build());
      last = view(request);
      out.accept(to.apply(request));
    }
  }

  private Replay(RecordedSession session, Settings settings, List<Placed> placed) {
    this.session = session;
    this.settings = settings;
    this.placed = placed;
    this.system = text(session.system());
    this.around = systemTokens(session);
  }

  static void run(RecordedSession session, Settings settings, Consumer<Sent> out) {
    run(session, settings, Map.of(settings.placement, out));
  }

  /** Replays once for several placements: they decide nothing but the marks. */
  static void run(
      RecordedSession session,
      Settings settings,
      Map<CachePolicy.Placement, Consumer<Sent>> placements) {
    List<Placed> placed = new ArrayList<>();
    placements.forEach((placement, out) -> placed.add(new Placed(placement, out)));
    new Replay(session, settings, placed).run();
  }

  private void run() {
    int calls = 0;
    for (RecordedSession.Event event : session.events()) {
      switch (event) {
        case RecordedSession.Event.Said said -> {
          replayed.add(said);
          grown += METER.texts(List.of(said.text()));
        }
        case RecordedSession.Event.Request _unused -> {
          if (!replayed.isEmpty() && calls++ % settings.every == 0) {
            request();
          }
        }
      }
    }
  }

  private void request() {
    if (requests++ > 0) {
      growth.add(grown);
    }
    grown = 0;
    if (settings.hideEvery > 0 && requests % settings.hideEvery == 0) {
      hide();
    }
    CompactionBudget budget =
        CompactionBudget.of(settings.policy, settings.limit)
            .system(around)
            .tail(settings.memoryTokens);
    RenderedContext context = renderer.render(compact(budget), OPTIONS);
    List<Message> messages = withMemory(context.messages());
    RequestInput.Builder input =
        RequestInput.builder(TARGET.model(), OUTPUT_TOKENS)
            .system(List.of(SystemPart.of(system)))
            .systemTokens(around)
            .messages(messages)
            .points(points(context))
            .volatileParts(settings.memoryTokens > 0 ? 1 : 0);
    long limit =
        settings.policy.triggerRatio().multiply(BigDecimal.valueOf(settings.limit)).longValue();
    long room = Math.max(0, limit - around - context.view().cost() - settings.memoryTokens);
    CachePolicy policy =
        growth.isWorthCaching(room)
            ? CachePolicy.DEFAULT
            : CachePolicy.DEFAULT.withIntent(CachePolicy.Intent.LAST);
    placed.forEach(
        each -> each.write(input, policy, request -> new Sent(system, messages, request)));
  }

  private Timeline compact(CompactionBudget budget) {
    Instant now = ReplayedTimeline.START.plusSeconds(requests);
    CompactionOutcome outcome =
        Compactor.of(renderer.emitter(OPTIONS), Filters.NONE, budget)
            .compact(replayed.timeline(), new ExtractiveSummarizer(), "su_" + requests, now);
    if (outcome.changes()) {
      replayed.replace(outcome.applyTo(replayed.timeline()));
    }
    return replayed.timeline();
  }

  /** Hides a result of some rounds back, as an agent does that has read it. */
  private void hide() {
    List<BlockPath> results = new ArrayList<>();
    for (Entry entry : replayed.timeline().window().entries()) {
      if (entry.block().type().isResult()) {
        entry.block().path().ifPresent(results::add);
      }
    }
    if (results.size() <= HIDDEN_ROUNDS_BACK) {
      return;
    }
    BlockPath path = results.get(results.size() - 1 - HIDDEN_ROUNDS_BACK);
    Hiding.Outcome outcome =
        new Hiding(
                renderer.view(replayed.timeline(), OPTIONS),
                renderer.emitter(OPTIONS),
                CachePoint.Settings.DEFAULT,
                Hiding.EDITABLE_TAIL_TOKENS)
            .hide(path, "[read and done]", Visibility.Reason.AGENT, ReplayedTimeline.START);
    replayed.replace(replayed.timeline().withVisibility(outcome.records()));
  }

  /**
   * What is remembered now, as an update behind everything that stays (memory_refresh PerEpoch).
   */
  private List<Message> withMemory(List<Message> messages) {
    if (settings.memoryTokens == 0) {
      return messages;
    }
    String text = "Memory, as of request " + requests + ": ";
    Part update = new Part.Text(text + "x".repeat(4 * settings.memoryTokens - text.length()));
    List<Message> all = new ArrayList<>(messages);
    Message end = all.getLast();
    if (end.role() == Role.USER) {
      List<Part> parts = new ArrayList<>(end.parts());
      parts.add(update);
      all.set(all.size() - 1, new Message(Role.USER, parts));
    } else {
      all.add(new Message(Role.USER, List.of(update)));
    }
    return all;
  }

  private List<PointPlace> points(RenderedContext context) {
    return context.points().stream()
        .map(
            place ->
                new PointPlace(
                    ProviderBytes.point(place.point().kind()),
                    place.message(),
                    place.part(),
                    around + place.point().tokens()))
        .toList();
  }

  private static LedgerView view(ProviderRequest request) {
    List<LedgerBlock> blocks = new ArrayList<>();
    List<Integer> marks = new ArrayList<>();
    for (RequestBlock block : request.blocks()) {
      if (block.mark().isPresent()) {
        marks.add(blocks.size());
      }
      blocks.add(LedgerBlock.of(request.body(), block, 0, Origin.host("replay")));
    }
    return new LedgerView(blocks, marks, true);
  }

  private static long systemTokens(RecordedSession session) {
    List<String> texts = new ArrayList<>();
    texts.add(text(session.system()));
    if (session.tools() instanceof JsonArray tools) {
      tools.items().forEach(tool -> texts.add(tool.toPrettyJson()));
    }
    return METER.texts(texts);
  }

  private static String text(JsonValue value) {
    return value instanceof JsonString plain ? plain.value() : value.toJson();
  }
}

package dev.contexture.provider.replay;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompactionReport;
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
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.SystemPart;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.CachePoint;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.HidePlanner;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Replays a recorded session through timeline, compaction, render and the writer of requests, as
 * the engine does, but without a store. Confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SessionReplay {
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
   * @param whom who is asked, and how tokens are counted
   */
  public record Settings(
      long limit,
      CompactionPolicy policy,
      CachePolicy.Placement placement,
      int every,
      int hideEvery,
      int memoryTokens,
      Whom whom) {
    /** For claude-sonnet-4-5, with four characters for a token. */
    public static Settings of(long limit, CompactionPolicy policy) {
      return new Settings(limit, policy, CachePolicy.DEFAULT.placement(), 1, 0, 0, Whom.DEFAULT);
    }

    public Settings withPlacement(CachePolicy.Placement where) {
      return new Settings(limit, policy, where, every, hideEvery, memoryTokens, whom);
    }

    public Settings withEvery(int calls) {
      return new Settings(limit, policy, placement, calls, hideEvery, memoryTokens, whom);
    }

    public Settings withHideEvery(int requests) {
      return new Settings(limit, policy, placement, every, requests, memoryTokens, whom);
    }

    public Settings withMemory(int tokens) {
      return new Settings(limit, policy, placement, every, hideEvery, tokens, whom);
    }

    /** For another model, with its own way to count. */
    public Settings withTarget(Providers.Target target) {
      Whom other =
          new Whom(
              target,
              new TokenMeter(TokenCounter.O200K_BASE, target.profile().tokenizer().ratio()));
      return new Settings(limit, policy, placement, every, hideEvery, memoryTokens, other);
    }
  }

  /**
   * Who is asked.
   *
   * @param target the model
   * @param meter how tokens are counted
   */
  public record Whom(Providers.Target target, TokenMeter meter) {
    private static final Whom DEFAULT =
        new Whom(
            BuiltInProviders.of(ModelCatalogue.shipped()).resolve("anthropic", "claude-sonnet-4-5"),
            TokenMeter.of(TokenCounter.CHARS4));

    private RenderOptions options() {
      return RenderOptions.defaults().withDialect(Dialect.NATIVE).withMeter(meter);
    }
  }

  /**
   * What a request is made of, in tokens.
   *
   * @param system the system prompt
   * @param tools the definitions of tools
   * @param summary what stands for older blocks
   * @param history the blocks that are shown
   * @param memory what is remembered
   */
  public record Tokens(long system, long tools, long summary, long history, long memory) {
    public long total() {
      return system + tools + summary + history + memory;
    }
  }

  /**
   * A request that an agent would have sent.
   *
   * @param system the system prompt
   * @param messages the conversation
   * @param request its form for the provider, with the marks
   * @param tokens what it is made of
   * @param compaction what became of the compaction before it
   */
  public record Sent(
      String system,
      List<Message> messages,
      ProviderRequest request,
      Tokens tokens,
      CompactionReport compaction) {
    public Sent {
      messages = List.copyOf(messages);
    }

    public boolean isMarked(int message, int part) {
      return request.blocks().stream()
          .anyMatch(
              block ->
                  block.message() == message && block.part() == part && block.mark().isPresent());
    }

    public boolean isSystemMarked() {
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
  private final RenderOptions options;
  private final TokenMeter meter;
  private final String system;
  private final long systemTokens;
  private final long around;
  private long grown;
  private int requests;

  /** A placement of marks, with what it sent last. Confined to one thread. */
  private static final class Placed {
    private final CachePolicy.Placement placement;
    private final Consumer<Sent> out;
    private final RequestWriter writer;
    private LedgerView last = LedgerView.NONE;

    Placed(CachePolicy.Placement placement, Providers.Target target, Consumer<Sent> out) {
      this.placement = placement;
      this.writer = target.format().writer();
      this.out = out;
    }

    void write(RequestInput.Builder input, CachePolicy policy, Function<ProviderRequest, Sent> to) {
      ProviderRequest request =
          writer.write(input.cache(policy.withPlacement(placement)).last(last).build());
      last = view(request);
      out.accept(to.apply(request));
    }
  }

  private SessionReplay(RecordedSession session, Settings settings, List<Placed> placed) {
    this.session = session;
    this.settings = settings;
    this.placed = placed;
    this.options = settings.whom.options();
    this.meter = settings.whom.meter();
    this.system = text(session.system());
    this.systemTokens = meter.texts(List.of(system));
    this.around = systemTokens + meter.texts(tools(session));
  }

  /** Replays a session: tells of every request, in order. */
  public static void run(RecordedSession session, Settings settings, Consumer<Sent> out) {
    run(session, settings, Map.of(settings.placement, out));
  }

  /** Replays once for several placements: they decide nothing but the marks. */
  public static void run(
      RecordedSession session,
      Settings settings,
      Map<CachePolicy.Placement, Consumer<Sent>> placements) {
    List<Placed> placed = new ArrayList<>();
    placements.forEach(
        (placement, out) -> placed.add(new Placed(placement, settings.whom.target(), out)));
    new SessionReplay(session, settings, placed).run();
  }

  private void run() {
    int calls = 0;
    for (RecordedSession.Event event : session.events()) {
      switch (event) {
        case RecordedSession.Event.Said said -> {
          replayed.add(said);
          grown += meter.texts(List.of(said.text()));
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
            .ahead(growth.expected())
            .tail(settings.memoryTokens);
    CompactionReport compaction = compact(budget);
    RenderedContext context = renderer.render(replayed.timeline(), options);
    List<Message> messages = withMemory(context.messages());
    RequestInput.Builder input =
        RequestInput.builder(settings.whom.target().model(), OUTPUT_TOKENS)
            .tools(ReplayedTimeline.TOOLS)
            .system(List.of(SystemPart.of(system)))
            .systemTokens(around)
            .messages(messages)
            .points(points(context))
            .volatileParts(settings.memoryTokens > 0 ? 1 : 0);
    long limit =
        settings.policy.triggerRatio().multiply(BigDecimal.valueOf(settings.limit)).longValue();
    long room = Math.max(0, limit - around - context.view().cost() - settings.memoryTokens);
    CachePolicy policy =
        growth.isWorthCaching(room, settings.whom.target().profile().cache().multipliers())
            ? CachePolicy.DEFAULT
            : CachePolicy.DEFAULT.withIntent(CachePolicy.Intent.LAST);
    Tokens tokens = tokens(context);
    placed.forEach(
        each ->
            each.write(
                input, policy, request -> new Sent(system, messages, request, tokens, compaction)));
  }

  private Tokens tokens(RenderedContext context) {
    long summary =
        context.view().items().stream()
            .filter(item -> item.type().equals(BlockType.RANGE_SUMMARY))
            .mapToLong(item -> item.emission().cost())
            .sum();
    long history = context.view().cost() - summary;
    return new Tokens(systemTokens, around - systemTokens, summary, history, settings.memoryTokens);
  }

  private CompactionReport compact(CompactionBudget budget) {
    Instant now = ReplayedTimeline.START.plusSeconds(requests);
    CompactionOutcome outcome =
        Compactor.of(renderer.emitter(options), ContributionFilters.NONE, budget)
            .compact(replayed.timeline(), new ExtractiveSummarizer(), "su_" + requests, now);
    if (outcome.changes()) {
      replayed.replace(outcome.applyTo(replayed.timeline()));
    }
    return outcome.report();
  }

  /** Hides a result of some rounds back, as an agent does that has read it. */
  private void hide() {
    List<BlockPath> results = new ArrayList<>();
    for (TimelineEntry entry : replayed.timeline().window().entries()) {
      if (entry.block().type().isResult()) {
        entry.block().path().ifPresent(results::add);
      }
    }
    if (results.size() <= HIDDEN_ROUNDS_BACK) {
      return;
    }
    BlockPath path = results.get(results.size() - 1 - HIDDEN_ROUNDS_BACK);
    HidePlanner.Outcome outcome =
        new HidePlanner(
                renderer.view(replayed.timeline(), options),
                renderer.emitter(options),
                CachePoint.Settings.DEFAULT,
                HidePlanner.EDITABLE_TAIL_TOKENS)
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
    if (end.role() == MessageRole.USER) {
      List<Part> parts = new ArrayList<>(end.parts());
      parts.add(update);
      all.set(all.size() - 1, new Message(MessageRole.USER, parts));
    } else {
      all.add(new Message(MessageRole.USER, List.of(update)));
    }
    return all;
  }

  private List<PointPlace> points(RenderedContext context) {
    return context.points().stream()
        .map(
            place ->
                new PointPlace(
                    point(place.point().kind()),
                    place.message(),
                    place.part(),
                    around + place.point().tokens()))
        .toList();
  }

  private static Point point(CachePoint.Kind kind) {
    return switch (kind) {
      case PREV_TURN -> Point.PREV_TURN;
      case PRE_TAIL -> Point.PRE_TAIL;
      case TAIL -> Point.TAIL;
    };
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

  private static List<String> tools(RecordedSession session) {
    return session.tools() instanceof JsonArray tools
        ? tools.items().stream().map(JsonValue::toPrettyJson).toList()
        : List.of();
  }

  private static String text(JsonValue value) {
    return value instanceof JsonString plain ? plain.value() : value.toJson();
  }
}

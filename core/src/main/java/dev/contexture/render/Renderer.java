package dev.contexture.render;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.Compactor;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.CachePoint;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emission;
import dev.contexture.view.Emitter;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import dev.contexture.view.Reader;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import dev.contexture.view.ViewSequence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Renders timelines. The result depends on the timeline and the options only; the renderer keeps
 * what blocks emitted, so that the next render of a grown timeline formats and counts just what is
 * new.
 *
 * <p>One renderer serves one conversation. Confined to one thread at a time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Renderer {
  private static final int MAX_KEPT = 4;

  private final Map<EmitterKey, Emitter> emitters = new Recent<>();
  private final Map<ViewKey, Streams> streams = new Recent<>();
  private final SourcesText sources = new SourcesText();
  private @Nullable View previous;

  /**
   * Renders the context for one model call.
   *
   * @throws ContextureException {@code context_too_large} if it is larger than a strict budget
   */
  public RenderedContext render(Timeline timeline, RenderOptions options) {
    View view = view(timeline, options);
    Tail tail = Tail.of(view, options, emitter(options), sources);
    RenderReport report = report(view, tail, options);
    List<CachePoint> points = view.cachePoints(options.cachePoints(), options.cacheLast());
    previous = view;
    return options.dialect() == Dialect.TRANSCRIPT
        ? transcript(view, tail, points, report)
        : asMessages(view, tail, points, report, streams(timeline, options).layout);
  }

  /** The stable stream that a render with these options would show. */
  public View view(Timeline timeline, RenderOptions options) {
    return streams(timeline, options).view.next(shown(timeline, options));
  }

  /** The timeline with the room that its pins have under these options. */
  public Timeline shown(Timeline timeline, RenderOptions options) {
    return timeline.pins().isEmpty()
        ? timeline
        : timeline.withPins(timeline.pins().withRoom(options.pinTokens()));
  }

  /** Budgets that show the same share one sequence. */
  private Streams streams(Timeline timeline, RenderOptions options) {
    long shown = timeline.visibilityRecords().sameView(options.viewTokens());
    return streams.computeIfAbsent(
        new ViewKey(emitter(options), options.filters(), shown),
        key ->
            new Streams(
                new ViewSequence(key.filters, key.emitter, key.viewTokens), new NativeLayout()));
  }

  /**
   * What compacts a timeline to the budget of these options: with the same filters and counts as
   * the render that follows.
   */
  public Compactor compactor(Timeline timeline, RenderOptions options) {
    CompactionBudget budget = budget(timeline, options);
    HistoryLimits history =
        options
            .history()
            .orElseGet(
                () ->
                    budget.isLimited()
                        ? HistoryLimits.ofTokens(budget.stream())
                        : HistoryLimits.NONE);
    return Compactor.of(emitter(options), options.filters(), budget)
        .withStrategy(options.strategy(), history, NativeLayout::count)
        .withPaths(options.listsPaths());
  }

  /**
   * What a context must not exceed under these options. Whether it does is {@link
   * CompactionBudget#isDue} of {@link View#cost} and {@link CompactionBudget#around} together.
   */
  public CompactionBudget budget(Timeline timeline, RenderOptions options) {
    CompactionBudget budget =
        options.maxTokens().isPresent()
            ? CompactionBudget.of(options.policy(), options.maxTokens().getAsLong())
            : CompactionBudget.unlimited(options.policy());
    return budget
        .view(options.viewTokens())
        .system(options.systemTokens())
        .tail(tailTokens(timeline, options))
        .force(options.forceSanitize());
  }

  private long tailTokens(Timeline timeline, RenderOptions options) {
    boolean none = !options.includeSources() && !options.includeAnnounce();
    return none ? 0 : Tail.of(view(timeline, options), options, emitter(options), sources).tokens();
  }

  /** How many messages the turns of a stream become, before neighbours merge. */
  public static int messages(View view) {
    Map<TurnId, List<StreamItem>> turns = new LinkedHashMap<>();
    for (StreamItem item : view.items()) {
      if (item.summary().isEmpty() && !item.pinned()) {
        turns.computeIfAbsent(item.turn(), unused -> new ArrayList<>()).add(item);
      }
    }
    return turns.values().stream().mapToInt(NativeLayout::count).sum();
  }

  /** What turns blocks into parts under these options. */
  public Emitter emitter(RenderOptions options) {
    EmitterKey key = new EmitterKey(options.dialect(), options.reader(), options.meter());
    return emitters.computeIfAbsent(
        key, unused -> new Emitter(options.dialect(), options.reader(), options.meter()));
  }

  private RenderReport report(View view, Tail tail, RenderOptions options) {
    TokenMeter meter = options.meter();
    long systemTokens = options.systemTokens();
    long total = systemTokens + view.cost() + tail.tokens();
    OptionalLong max = options.maxTokens();
    boolean over = max.isPresent() && total > max.getAsLong();
    if (over && options.strictBudget()) {
      throw ContextureException.limit(
          ErrorCode.CONTEXT_TOO_LARGE, "context", max.getAsLong(), total, "tokens");
    }
    return new RenderReport(
        systemTokens,
        view.cost(),
        tail.tokens(),
        options.limit().orElse(-1),
        over,
        meter.counter().name(),
        meter.ratio(),
        view.dropped(),
        changeSince(previous, view));
  }

  private static RenderedContext transcript(
      View view, Tail tail, List<CachePoint> points, RenderReport report) {
    Set<Integer> marked = new HashSet<>();
    points.forEach(point -> marked.add(point.index()));
    List<RenderedPart> rendered = new ArrayList<>(view.items().size() + tail.parts().size());
    List<RenderedPoint> places = new ArrayList<>();
    for (int i = 0; i < view.items().size(); i++) {
      Cancellation.check();
      addParts(rendered, view.items().get(i), marked.contains(i));
      for (CachePoint point : points) {
        if (point.index() == i) {
          places.add(new RenderedPoint(point, 0, rendered.size() - 1));
        }
      }
    }
    rendered.addAll(tail.parts());
    List<Part> parts = rendered.stream().map(RenderedPart::part).toList();
    List<Message> message =
        parts.isEmpty() ? List.of() : List.of(new Message(MessageRole.USER, parts));
    return new RenderedContext(
        view, rendered, message, places, tail.parts().size(), report, PartOrigins.NONE);
  }

  private static void addParts(List<RenderedPart> rendered, StreamItem item, boolean marked) {
    List<Part> parts = item.emission().parts();
    for (int p = 0; p < parts.size(); p++) {
      boolean cache = marked && p == parts.size() - 1;
      rendered.add(
          new RenderedPart(
              parts.get(p),
              item.type().name(),
              item.path().orElse(null),
              item.turn(),
              item.seq().orElse(0),
              cache));
    }
  }

  private static RenderedContext asMessages(
      View view, Tail tail, List<CachePoint> points, RenderReport report, NativeLayout laidOut) {
    laidOut.layOut(view);
    List<RenderedPoint> places = new ArrayList<>();
    for (CachePoint point : points) {
      int message = laidOut.messageOf(point.index());
      int part = laidOut.partOf(point.index());
      places.add(new RenderedPoint(point, message, part));
    }
    return new RenderedContext(
        view,
        List.of(),
        laidOut.messages(tail.parts()),
        places,
        tail.parts().size(),
        report,
        laidOut.origins());
  }

  /** The first position at which a stream is not the one before it, or that plus more. */
  static @Nullable PrefixChange changeSince(@Nullable View before, View now) {
    if (before == null
        || before.dialect() != now.dialect()
        || !before.timeline().activeTurn().equals(now.timeline().activeTurn())) {
      return null;
    }
    List<StreamItem> old = before.items();
    int i = before.firstDifference(now, 0);
    while (i < old.size()) {
      if (i >= now.items().size()
          || !sameParts(old.get(i).emission(), now.items().get(i).emission())) {
        return new PrefixChange(i, cause(before, now, i));
      }
      i = before.firstDifference(now, i + 1);
    }
    return null;
  }

  private static boolean sameParts(Emission one, Emission other) {
    return one.parts().equals(other.parts());
  }

  private static PrefixChange.Cause cause(View before, View now, int index) {
    if (!before.window().summary().equals(now.window().summary())) {
      return PrefixChange.Cause.COMPACTION;
    }
    if (!before.filters().equals(now.filters())) {
      return PrefixChange.Cause.FILTER;
    }
    if (!before.timeline().archived().equals(now.timeline().archived())) {
      return PrefixChange.Cause.ARCHIVE;
    }
    if (!before.timeline().pins().equals(now.timeline().pins())) {
      return PrefixChange.Cause.PIN;
    }
    StreamItem was = before.items().get(index);
    if (!Objects.equals(visibility(before, was), visibility(now, was))) {
      return cause(visibility(now, was));
    }
    StreamItem is = index < now.items().size() ? now.items().get(index) : was;
    boolean shownAgain = !Objects.equals(visibility(before, is), visibility(now, is));
    return shownAgain ? cause(visibility(now, is)) : PrefixChange.Cause.OTHER;
  }

  private static PrefixChange.Cause cause(@Nullable Visibility record) {
    return switch (record == null ? Visibility.Reason.API : record.reason()) {
      case API, AGENT, REPLACED -> PrefixChange.Cause.HIDE;
      case TTL -> PrefixChange.Cause.TTL;
      case OVERSIZE, ARGUMENTS -> PrefixChange.Cause.PREVIEW;
    };
  }

  private static @Nullable Visibility visibility(View view, StreamItem item) {
    return item.entry().flatMap(view.timeline()::visibility).orElse(null);
  }

  private record EmitterKey(Dialect dialect, Reader reader, TokenMeter meter) {}

  private record ViewKey(Emitter emitter, ContributionFilters filters, long viewTokens) {}

  private record Streams(ViewSequence view, NativeLayout layout) {}

  /** Keeps the few that were used last. */
  @SuppressWarnings("serial") // never serialised
  private static final class Recent<K, V> extends LinkedHashMap<K, V> {
    Recent() {
      super(8, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MAX_KEPT;
    }
  }
}

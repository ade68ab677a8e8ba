package dev.contexture.engine.request;

import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.prompt.Omission;
import dev.contexture.prompt.Omission.Reason;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.DroppedBlock;
import dev.contexture.view.Emitter;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Lists what a request leaves out and what it shows in part, each with the reason and its tokens:
 * of memory, tools, turns and blocks. What a summary stands for is not left out.
 */
final class RequestOmissions {
  private static final int MAX_TURNS = 100;
  private static final int MAX_BLOCKS = 1_000;

  private final RequestState state;

  RequestOmissions(RequestState state) {
    this.state = state;
  }

  /** Memory blocks that are not shown. */
  static List<Omission> memory(RequestState state) {
    List<Omission> dropped = new ArrayList<>(state.shown().dropped());
    dropped.addAll(state.update.dropped());
    return dropped;
  }

  List<Omission> dropped() {
    List<Omission> dropped = memory(state);
    dropped.addAll(state.dropped);
    RenderResult rendered = state.rendered;
    if (rendered != null) {
      View view = rendered.context().view();
      dropped.addAll(turns(view));
      dropped.addAll(blocks(view));
    }
    dropped.addAll(state.emptyMessages);
    return dropped;
  }

  List<Omission> truncated() {
    List<Omission> truncated = new ArrayList<>(state.shown().truncated());
    truncated.addAll(state.update.truncated());
    RenderResult rendered = state.rendered;
    if (rendered != null) {
      truncated.addAll(shortened(rendered.context().view()));
    }
    return truncated;
  }

  private List<Omission> turns(View view) {
    List<Omission> all = new ArrayList<>();
    for (StoredTurn turn : state.incomplete) {
      String status = "its status is " + turn.row().status().wireName();
      all.add(turn(turn.turn(), Reason.INCOMPLETE_TURN, status));
    }
    all.addAll(state.archived);
    Set<String> listed = new LinkedHashSet<>();
    all.forEach(omission -> listed.add(omission.id()));
    long from = view.window().summary().map(Summary::cutSeq).orElse(1L);
    for (ArchivedRange range : view.timeline().archived()) {
      if (range.toSeq() >= from && range.summary().isEmpty()) {
        for (TurnId turn : range.turns()) {
          if (listed.add(turn.value())) {
            all.add(turn(turn, Reason.ARCHIVED, "by an earlier request"));
          }
        }
      }
    }
    omitted(view.timeline())
        .forEach(turn -> all.add(turn(turn, Reason.TURN_LIMIT, "limit or days leave it out")));
    return bounded(all, MAX_TURNS);
  }

  private static Omission turn(TurnId turn, Reason reason, String detail) {
    return new Omission("turn", turn.value(), reason, detail);
  }

  private static List<TurnId> omitted(Timeline timeline) {
    if (timeline.omittedTurns().isEmpty()) {
      return List.of();
    }
    return timeline.withOmittedTurns(Set.of()).window().entries().stream()
        .map(TimelineEntry::turn)
        .distinct()
        .filter(timeline.omittedTurns()::contains)
        .toList();
  }

  private List<Omission> blocks(View view) {
    List<DroppedBlock> dropped = view.dropped();
    if (dropped.isEmpty()) {
      return List.of();
    }
    return withEmitter(
        (emitter, all) ->
            dropped.forEach(
                block -> all.add(Omission.of(block, emitter.own(block.entry(), null).cost()))));
  }

  /** What is found of blocks, with the costs that they have in this request. */
  private List<Omission> withEmitter(BiConsumer<Emitter, List<Omission>> find) {
    Session session = state.session();
    RenderOptions options = HistoryStep.options(state);
    return session.locked(
        () -> {
          List<Omission> all = new ArrayList<>();
          find.accept(session.renderer().emitter(options), all);
          return bounded(all, MAX_BLOCKS);
        });
  }

  /** Blocks in whose place something shorter is shown. */
  private List<Omission> shortened(View view) {
    List<StreamItem> items = view.items().stream().filter(StreamItem::replaced).toList();
    if (items.isEmpty()) {
      return List.of();
    }
    return withEmitter(
        (emitter, all) ->
            items.forEach(
                item ->
                    item.entry()
                        .ifPresent(entry -> all.add(shortened(view, emitter, item, entry)))));
  }

  private static Omission shortened(
      View view, Emitter emitter, StreamItem item, TimelineEntry entry) {
    Reason reason =
        view.timeline()
            .visibility(entry)
            .map(Visibility::reason)
            .map(RequestOmissions::reason)
            .orElse(Reason.HIDDEN);
    long whole = emitter.own(entry, item.tool().orElse(null)).cost();
    String detail = "shown with " + item.cost() + " of " + whole + " tokens";
    return Omission.of(entry, reason, detail, Math.max(0, whole - item.cost()));
  }

  private static Reason reason(Visibility.Reason reason) {
    return switch (reason) {
      case API, AGENT -> Reason.HIDDEN;
      case TTL -> Reason.TTL;
      case OVERSIZE -> Reason.OVERSIZE;
      case ARGUMENTS -> Reason.ARGUMENTS;
      case REPLACED -> Reason.REPLACED;
    };
  }

  /** The first ones, and one that counts the rest. */
  private static List<Omission> bounded(List<Omission> all, int most) {
    if (all.size() <= most) {
      return all;
    }
    List<Omission> rest = all.subList(most, all.size());
    List<Omission> bounded = new ArrayList<>(all.subList(0, most));
    bounded.add(
        new Omission(
            "more",
            String.valueOf(rest.size()),
            rest.getFirst().reason(),
            "so many more " + rest.getFirst().kind() + "s are left out",
            rest.stream().mapToLong(Omission::tokens).sum()));
    return bounded;
  }

  /**
   * Turns behind the summary that are not sent because they have no end; without those that lie in
   * an archived range.
   */
  static List<StoredTurn> incomplete(Session session, View view) {
    long from = view.window().summary().map(Summary::cutSeq).orElse(1L);
    Timeline timeline = session.timeline();
    return session.services().store().excludedTurns(session.scope(), from, MAX_TURNS).stream()
        .filter(
            turn -> timeline.archived().stream().noneMatch(range -> range.contains(turn.lastSeq())))
        .toList();
  }
}

package dev.contexture.engine.session;

import dev.contexture.store.SourceRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.TurnRow;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.SourcesPool;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Makes the timeline of what a store keeps. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TimelineLoader {
  private TimelineLoader() {}

  static Timeline timeline(StoredWindow window) {
    Timeline timeline = Timeline.empty();
    Deque<StoredWindow.Transient> waiting = new ArrayDeque<>();
    for (StoredWindow.TurnScoped scoped : window.turnScoped()) {
      waiting.addAll(scoped.transients());
    }
    for (StoredBlock stored : inOrder(window)) {
      while (!waiting.isEmpty() && waiting.getFirst().afterSeq() < stored.seq()) {
        timeline = timeline.appendNotPersisted(waiting.removeFirst().block());
      }
      timeline = timeline.load(stored.seq(), stored.block());
    }
    for (StoredWindow.Transient last : waiting) {
      timeline = timeline.appendNotPersisted(last.block());
    }
    timeline = timeline.skipTo(window.head().nextSeq());
    return withRecords(timeline, window);
  }

  private static Timeline withRecords(Timeline loaded, StoredWindow window) {
    Timeline timeline =
        loaded.withTurns(window.turns().stream().map(turn -> state(turn.row())).toList());
    if (window.summary() != null) {
      timeline = timeline.withSummary(window.summary());
    }
    for (var range : window.archived()) {
      timeline = timeline.withArchived(range);
    }
    if (!window.visibility().isEmpty()) {
      timeline = timeline.withVisibility(window.visibility());
    }
    for (StoredWindow.TurnScoped scoped : window.turnScoped()) {
      timeline = timeline.withAnnounce(scoped.announce());
    }
    return timeline.withSources(sources(window.sources())).withActiveTurn(window.head().openTurn());
  }

  private static List<StoredBlock> inOrder(StoredWindow window) {
    if (window.carried().isEmpty()) {
      return window.blocks();
    }
    List<StoredBlock> all = new ArrayList<>(window.carried());
    all.sort((a, b) -> Long.compare(a.seq(), b.seq()));
    all.addAll(window.blocks());
    return all;
  }

  public static TurnState state(TurnRow row) {
    return new TurnState(row.turn(), row.status(), row.agent(), row.startedAt(), row.endedAt());
  }

  static SourcesPool sources(List<SourceRow> rows) {
    List<PoolSource> visible = new ArrayList<>();
    List<PoolSource> hidden = new ArrayList<>();
    Map<String, Long> keys = new HashMap<>();
    for (SourceRow row : rows) {
      keys.put(row.key(), row.sid());
      (row.visible() ? visible : hidden).add(new PoolSource(row.sid(), row.row()));
    }
    return SourcesPool.restore(visible, hidden, keys);
  }
}

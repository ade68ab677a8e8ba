package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitRecord;
import dev.contexture.crdt.CrdtErrorCode;
import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.PackedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Old versions of a history, and cutting it off below one. */
final class Versions {
  private Versions() {}

  /** Refuses versions that are trimmed, not yet known, or hold an effect without its cause. */
  static EventHistory requireKnown(
      EventHistory history, VersionVector version, VersionVector committed) {
    if (!version.includes(history.base().version())) {
      throw CrdtException.trimmed("version " + version);
    }
    if (!committed.includes(version)) {
      throw new CrdtException(
          CrdtErrorCode.UNKNOWN_VERSION,
          "version " + version + " is not part of this document, which has " + committed);
    }
    EventGraph graph = history.graph();
    for (int span = 0; span < graph.spans(); span++) {
      if (history.includedEnd(span, version) > graph.start(span)) {
        for (int parent : graph.parents(span)) {
          Base.Id id = history.idOf(parent);
          if (version.count(id.replica()) <= id.counter()) {
            throw CrdtException.invalid(
                "version", version, "versions that a document had: " + id + " is missing");
          }
        }
      }
    }
    return history;
  }

  /** The newest operation inside a version at which history can be cut; -1 if there is none. */
  static int trimPoint(EventHistory history, VersionVector version) {
    EventGraph graph = history.graph();
    for (int i = graph.criticalIntervals() - 1; i >= 0; i--) {
      for (int event = graph.criticalTo(i); event >= graph.criticalFrom(i); event--) {
        int owner = graph.ownerOf(event);
        int counter = graph.counterOf(event);
        if (counter < version.count(history.replicas().id(owner))
            && history.commits().endsAfter(owner, counter)) {
          return event;
        }
      }
    }
    return -1;
  }

  /** What remains when history is cut behind a critical operation. */
  static EventHistory trim(EventHistory history, int point, VersionVector limit) {
    VersionVector version = versionUpTo(history, point);
    PackedBytes state = StateFormat.write(HistoryReplay.at(history, version), history.containers());
    Base base = new Base(version, history.idOf(point), history.graph().lamport(point), state);
    return history.copy(base, point, limit);
  }

  private static VersionVector versionUpTo(EventHistory history, int point) {
    EventGraph graph = history.graph();
    Map<ReplicaId, Integer> counts = new HashMap<>(history.base().version().counts());
    for (int span = 0; span < graph.spans() && graph.start(span) <= point; span++) {
      int end = Math.min(graph.end(span), point + 1);
      int count = graph.counter(span) + end - graph.start(span);
      counts.merge(history.replicas().id(graph.owner(span)), count, Math::max);
    }
    return VersionVector.of(counts);
  }

  /** A snapshot of a history without uncommitted edits. */
  static SnapshotFormat.Parts parts(EventHistory history, State state) {
    if (history.graph().spans() == 0) {
      return new SnapshotFormat.Parts(history.base(), null, history.base().state());
    }
    PackedBytes packedState = StateFormat.write(state, history.containers());
    return new SnapshotFormat.Parts(history.base(), HistoryWriter.pack(history), packedState);
  }

  static List<CommitRecord> commits(EventHistory history) {
    List<CommitRecord> records = new ArrayList<>();
    for (int i = 0; i < history.commits().runs(); i++) {
      CommitLog.Run run = history.commits().run(i);
      ReplicaId replica = history.replicas().id(run.replica());
      for (int k = 0; k < run.repeat(); k++) {
        int first = run.first() + k * run.length();
        records.add(new CommitRecord(replica, first, run.length(), run.note()));
      }
    }
    return records;
  }
}

package dev.contexture.crdt.internal;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The replicas of a document, by a small index. Confined to one thread. */
final class ReplicaTable {
  private final List<ReplicaId> ids = new ArrayList<>();
  private final Map<ReplicaId, Integer> indices = new HashMap<>();
  private final IntList counts = new IntList();
  private final List<IntList> spans = new ArrayList<>();

  /** Starts with the operations of a version, which lie below the first span. */
  static ReplicaTable startingAt(VersionVector version) {
    ReplicaTable table = new ReplicaTable();
    version.counts().forEach((replica, count) -> table.counts.set(table.indexOf(replica), count));
    return table;
  }

  ReplicaTable copy() {
    ReplicaTable copy = new ReplicaTable();
    copy.ids.addAll(ids);
    copy.indices.putAll(indices);
    for (int i = 0; i < ids.size(); i++) {
      copy.counts.add(counts.get(i));
      copy.spans.add(spans.get(i).copy());
    }
    return copy;
  }

  int size() {
    return ids.size();
  }

  ReplicaId id(int index) {
    return ids.get(index);
  }

  int indexOf(ReplicaId id) {
    Integer known = indices.get(id);
    if (known != null) {
      return known;
    }
    indices.put(id, ids.size());
    ids.add(id);
    counts.add(0);
    spans.add(new IntList());
    return ids.size() - 1;
  }

  /** Operations of this replica so far, uncommitted ones included. */
  int count(int index) {
    return counts.get(index);
  }

  int count(ReplicaId id) {
    Integer index = indices.get(id);
    return index == null ? 0 : counts.get(index);
  }

  void advance(int index, int operations) {
    counts.set(index, counts.get(index) + operations);
  }

  IntList spans(int index) {
    return spans.get(index);
  }

  VersionVector version() {
    Map<ReplicaId, Integer> all = new HashMap<>();
    for (int i = 0; i < ids.size(); i++) {
      all.put(ids.get(i), counts.get(i));
    }
    return VersionVector.of(all);
  }
}

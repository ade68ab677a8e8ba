package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitNote;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Everything that happened after the trim point. Append-only, confined to one thread. */
final class EventHistory {
  private final Base base;
  private final Containers containers;
  private final ReplicaTable replicas;
  private final EventGraph graph;
  private final OpLog ops;
  private final CommitLog commits;
  private final Map<Integer, Base.Id> packedHeads = new HashMap<>();

  private EventHistory(Base base, Containers containers, ReplicaTable replicas, EventGraph graph) {
    this.base = base;
    this.containers = containers;
    this.replicas = replicas;
    this.graph = graph;
    this.ops = new OpLog(containers, graph.first());
    this.commits = new CommitLog();
  }

  private EventHistory(EventHistory other, Containers containers) {
    this.base = other.base;
    this.containers = containers;
    this.replicas = other.replicas.copy();
    this.graph = other.graph.copy(replicas);
    this.ops = other.ops.copy(containers);
    this.commits = other.commits.copy();
    this.packedHeads.putAll(other.packedHeads);
  }

  static EventHistory after(Base base, Containers containers) {
    ReplicaTable replicas = ReplicaTable.startingAt(base.version());
    EventGraph graph = new EventGraph(replicas, 0, EventGraph.NO_PARENTS, base.lamport());
    return new EventHistory(base, containers, replicas, graph);
  }

  /** Continues a history that stays packed. */
  static EventHistory after(Base base, PackedHistory packed, Containers containers) {
    ReplicaTable replicas = ReplicaTable.startingAt(packed.version());
    int[] heads = packed.heads().stream().mapToInt(PackedHistory.Head::event).sorted().toArray();
    EventGraph graph = new EventGraph(replicas, packed.events(), heads, packed.lamport());
    EventHistory history = new EventHistory(base, containers, replicas, graph);
    packed.heads().forEach(head -> history.packedHeads.put(head.event(), head.id()));
    return history;
  }

  Base base() {
    return base;
  }

  Containers containers() {
    return containers;
  }

  ReplicaTable replicas() {
    return replicas;
  }

  EventGraph graph() {
    return graph;
  }

  OpLog ops() {
    return ops;
  }

  CommitLog commits() {
    return commits;
  }

  /** The commits that a version lacks, in an order in which causes precede effects. */
  List<CommitLog.Run> commitsAbove(VersionVector known) {
    return commits.above(known, replicas);
  }

  /** The time of an operation for comparing writes. */
  WriteStamp stamp(int event) {
    return new WriteStamp(graph.lamport(event), replicas.id(graph.ownerOf(event)));
  }

  /** Appends operations to the graph; the caller then appends as many to the log. */
  boolean append(ReplicaId replica, int count, int[] parents) {
    return graph.append(replicas.indexOf(replica), count, parents);
  }

  /** The author and number of an operation that is not packed, or is a packed head. */
  Base.Id idOf(int event) {
    Base.Id packed = packedHeads.get(event);
    return packed != null
        ? packed
        : new Base.Id(replicas.id(graph.ownerOf(event)), graph.counterOf(event));
  }

  /** The parents of an operation; at the root, the operation at which history was trimmed. */
  List<Base.Id> parentIds(int event) {
    int[] parents = graph.parentsOf(event);
    if (parents.length == 0 && base.head() != null) {
      return List.of(base.head());
    }
    return Arrays.stream(parents).mapToObj(this::idOf).toList();
  }

  /** Whether an operation has the one before it as its only parent and the same author. */
  boolean joins(int event) {
    return event > graph.first() && graph.start(graph.spanOf(event)) != event;
  }

  /** Notes that operations which were appended are commits. */
  void addCommits(ReplicaId replica, int first, ReceivedCommits.Shape shape, CommitNote note) {
    int index = replicas.indexOf(replica);
    int start = graph.eventOf(index, first);
    int end = graph.eventOf(index, first + shape.operations() - 1);
    boolean inOneSpan = graph.spanOf(start) == graph.spanOf(end);
    CommitLog.Run run = new CommitLog.Run(index, first, shape.length(), shape.repeat(), note);
    commits.add(run, inOneSpan && joins(start));
    if (!inOneSpan) {
      commits.seal();
    }
  }

  /** Appends the operations of a log, cut to a range, behind what was appended to the graph. */
  void appendOps(OpLog source, int from, int to, int[] containerMap) {
    source.forEach(from, to, op -> ops.append(op, containerMap[op.container], joins(ops.next())));
  }

  /** Appends everything of a history that continues this one and shares its containers. */
  void appendAll(EventHistory tail) {
    int[] same = identity(containers.size());
    for (int span = 0; span < tail.graph.spans(); span++) {
      int start = tail.graph.start(span);
      int end = tail.graph.end(span);
      append(tail.replicas.id(tail.graph.owner(span)), end - start, tail.graph.parents(span));
      appendOps(tail.ops, start, end, same);
    }
    copyCommits(tail, VersionVector.EMPTY, tail.replicas.version());
  }

  /** The same history, over a copy of its containers. */
  EventHistory copy(Containers copiedContainers) {
    return new EventHistory(this, copiedContainers);
  }

  /**
   * A copy of what lies above a base and inside a version.
   *
   * @param trimmed the newest operation that is part of the base, or one below the first
   */
  EventHistory copy(Base newBase, int trimmed, VersionVector limit) {
    return copy(newBase, trimmed, limit, containers);
  }

  /**
   * As above.
   *
   * @param target containers that begin with those of this history, in the same order
   */
  EventHistory copy(Base newBase, int trimmed, VersionVector limit, Containers target) {
    EventHistory copy = EventHistory.after(newBase, target);
    int[] same = identity(containers.size());
    for (int span = 0; span < graph.spans(); span++) {
      ReplicaId owner = replicas.id(graph.owner(span));
      int start = Math.max(graph.start(span), trimmed + 1);
      int end = includedEnd(span, limit);
      if (start < end) {
        int[] parents = graph.parentsOf(start);
        copy.append(owner, end - start, translated(parents, trimmed, copy));
        copy.appendOps(ops, start, end, same);
      }
    }
    copy.copyCommits(this, newBase.version(), limit);
    return copy;
  }

  /** End of the operations of a span that a version has; at most its start if it has none. */
  int includedEnd(int span, VersionVector limit) {
    int included = limit.count(replicas.id(graph.owner(span))) - graph.counter(span);
    int start = graph.start(span);
    return Math.min(graph.end(span), start + Math.max(0, included));
  }

  private int[] translated(int[] parents, int trimmed, EventHistory copy) {
    return Arrays.stream(parents)
        .filter(parent -> parent > trimmed)
        .map(
            parent ->
                copy.graph.eventOf(
                    copy.replicas.indexOf(replicas.id(graph.ownerOf(parent))),
                    graph.counterOf(parent)))
        .sorted()
        .toArray();
  }

  private void copyCommits(EventHistory source, VersionVector above, VersionVector limit) {
    for (int i = 0; i < source.commits.runs(); i++) {
      CommitLog.Run run = source.commits.run(i);
      ReplicaId owner = source.replicas.id(run.replica());
      int first = Math.max(run.first(), Math.min(run.end(), above.count(owner)));
      int end = Math.min(run.end(), limit.count(owner));
      int repeat = (end - first) / run.length();
      if (repeat > 0) {
        int index = replicas.indexOf(owner);
        commits.add(new CommitLog.Run(index, first, run.length(), repeat, run.note()), false);
        commits.seal();
      }
    }
  }

  private static int[] identity(int size) {
    int[] map = new int[size];
    Arrays.setAll(map, i -> i);
    return map;
  }
}

package dev.contexture.crdt.internal;

import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.CrdtLimits;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.ByteReader;
import dev.contexture.crdt.internal.data.PackedWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * History and state together.
 *  1. Operations that follow everything known act at the positions they name: no bookkeeping.
 *  2. Others are walked, from the newest critical operation on. The walker is kept as long as
 *     concurrent operations keep coming, so that each is walked once, and dropped when as many
 *     others came meanwhile as it has walked.
 *  3. A history that was loaded stays packed until something asks for it: a concurrent operation,
 *     an old version, an export from before.
 */
/** The containers, the state and the history of a document. Confined to one thread. */
final class DocumentContent {
  private static final int IDLE_EVENTS = 1024;
  private static final int ROOT = -1;
  private static final int TRIMMED = -2;
  private static final int UNKNOWN = -3;

  private final Containers containers;
  private final CrdtLimits limits;
  private EventHistory history;
  private @Nullable PackedHistory packed;
  private State state;
  private @Nullable Walker walker;

  DocumentContent(SnapshotFormat.Parts parts, Containers containers, CrdtLimits limits) {
    this.containers = containers;
    this.limits = limits;
    this.packed = parts.history();
    this.state = StateFormat.read(parts.state(), containers);
    this.history =
        packed == null
            ? EventHistory.after(parts.base(), containers)
            : EventHistory.after(parts.base(), packed, containers);
  }

  DocumentContent(EventHistory history, State state, CrdtLimits limits) {
    this.containers = history.containers();
    this.limits = limits;
    this.history = history;
    this.state = state;
  }

  private DocumentContent(DocumentContent other, Containers containers) {
    this.containers = containers;
    this.limits = other.limits;
    this.history = other.history.copy(containers);
    this.packed = other.packed;
    this.state = other.state.copy(containers);
  }

  /** The same content, over a copy of its containers. */
  DocumentContent copy(Containers copiedContainers) {
    return new DocumentContent(this, copiedContainers);
  }

  /** About as many bytes as it would have if it were encoded, or more. */
  long heldBytes() {
    long old = packed == null ? 0 : packed.block().size();
    return history.base().state().size() + old + history.ops().heldBytes();
  }

  /** The history as far as it is unpacked. */
  EventHistory recent() {
    return history;
  }

  /** What is still packed. */
  @Nullable PackedHistory packed() {
    return packed;
  }

  State state() {
    return state;
  }

  Containers containers() {
    return containers;
  }

  /** The whole history, unpacked now if it was not. */
  EventHistory full() {
    PackedHistory old = packed;
    if (old != null) {
      EventHistory unpacked = unpack(old, history.base());
      unpacked.appendAll(history);
      history = unpacked;
      packed = null;
      walker = null;
      restoreTimes();
    }
    return history;
  }

  private EventHistory unpack(PackedHistory old, Base base) {
    EventHistory unpacked = EventHistory.after(base, containers);
    ByteReader raw = PackedWriter.unpack(old.block(), limits.maxDocumentBytes());
    for (ReceivedCommits commit : HistoryReader.read(raw, containers, limits)) {
      if (commit.first() != unpacked.replicas().count(commit.replica())) {
        throw CrdtException.corrupt("a history lacks operations of replica " + commit.replica());
      }
      appendTo(unpacked, commit, (from, to, follows) -> {});
    }
    boolean complete =
        unpacked.replicas().version().equals(old.version())
            && unpacked.graph().next() == old.events()
            && unpacked.graph().maxLamport() == old.lamport()
            && Arrays.equals(unpacked.graph().heads(), headsOf(old));
    if (!complete) {
      throw CrdtException.corrupt("a history is not the one that its snapshot announces");
    }
    return unpacked;
  }

  private static int[] headsOf(PackedHistory old) {
    return old.heads().stream().mapToInt(PackedHistory.Head::event).sorted().toArray();
  }

  /** Gives the values of maps the times that a packed history did not tell. */
  private void restoreTimes() {
    State rebuilt = StateFormat.read(history.base().state(), containers);
    EventGraph graph = history.graph();
    history.ops().forEach(graph.first(), graph.next(), op -> rebuilt.applyUnordered(op, history));
    for (int container = 0; container < containers.size(); container++) {
      if (containers.kind(container) == ContainerKind.MAP) {
        state.setMap(container, rebuilt.map(container));
      }
    }
  }

  /** Appends operations of this replica; the caller appends them to the log and the state. */
  boolean appendLocal(ReplicaId self, int count) {
    dropIdleWalker();
    int event = history.graph().next();
    history.append(self, count, history.graph().heads());
    return history.joins(event);
  }

  /** Whether everything is there that commits follow. */
  boolean isReady(ReceivedCommits commit) {
    for (ReceivedCommits.Segment segment : commit.segments()) {
      for (Base.Id parent : segment.parents()) {
        boolean own =
            parent.replica().equals(commit.replica())
                && parent.counter() >= commit.first()
                && parent.counter() < commit.first() + segment.offset();
        if (!own && parent.counter() >= history.replicas().count(parent.replica())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Appends commits of another replica and applies them. */
  void appendReady(ReceivedCommits commit) {
    dropIdleWalker();
    if (packed != null && !followsEverything(commit)) {
      full();
    }
    appendTo(history, commit, this::applyRange);
  }

  private boolean followsEverything(ReceivedCommits commit) {
    for (ReceivedCommits.Segment segment : commit.segments()) {
      for (Base.Id parent : segment.parents()) {
        if (resolve(history, parent) == UNKNOWN) {
          return false;
        }
      }
    }
    ReceivedCommits.Segment first = commit.segments().getFirst();
    return commit.segments().size() == 1
        && history.graph().followsAllHeads(resolve(history, first.parents()));
  }

  private interface Appended {
    void accept(int from, int to, boolean follows);
  }

  private void appendTo(EventHistory target, ReceivedCommits commit, Appended then) {
    List<ReceivedCommits.Segment> segments = commit.segments();
    int operations = commit.shape().operations();
    for (int i = 0; i < segments.size(); i++) {
      int offset = segments.get(i).offset();
      int end = i + 1 < segments.size() ? segments.get(i + 1).offset() : operations;
      int[] parents = resolve(target, segments.get(i).parents());
      int event = target.graph().next();
      boolean follows = target.append(commit.replica(), end - offset, parents);
      ReceivedCommits.Batch batch = commit.batch();
      target.appendOps(
          batch.ops(), commit.event() + offset, commit.event() + end, batch.containers());
      then.accept(event, target.graph().next(), follows);
    }
    target.addCommits(commit.replica(), commit.first(), commit.shape(), commit.note());
  }

  private void applyRange(int from, int to, boolean follows) {
    if (follows) {
      history.ops().forEach(from, to, op -> state.apply(op, history));
    } else {
      walkerAt(from).walkTo(to, state);
      history.ops().forEach(from, to, op -> state.applyUnordered(op, history));
    }
  }

  /** A walker that has seen everything in front of an operation. */
  private Walker walkerAt(int event) {
    int critical = history.graph().lastCritical();
    Walker ready = walker;
    if (ready == null || critical < ready.base() || critical >= ready.next()) {
      ready = new Walker(history, critical);
      walker = ready;
    }
    ready.startKnown();
    ready.walkTo(event, Effects.NONE);
    ready.finishKnown(state::length);
    return ready;
  }

  private void dropIdleWalker() {
    if (walker != null) {
      int idle = history.graph().next() - walker.next();
      if (idle > walker.next() - walker.base() + IDLE_EVENTS) {
        walker = null;
      }
    }
  }

  private int[] resolve(EventHistory target, List<Base.Id> parents) {
    Base.Id head = target.base().head();
    int[] events = parents.stream().mapToInt(p -> resolve(target, p)).distinct().sorted().toArray();
    boolean belowTrim = events.length == 0 ? head != null : events[events.length - 1] == TRIMMED;
    if (belowTrim) {
      throw CrdtException.trimmed("a commit that follows " + parents);
    }
    if (events.length > 0 && events[0] == UNKNOWN) {
      throw CrdtException.corrupt("a commit follows one that comes later");
    }
    return Arrays.stream(events).filter(event -> event >= 0).toArray();
  }

  private int resolve(EventHistory target, Base.Id id) {
    int index = target.replicas().indexOf(id.replica());
    int event = target.graph().eventOf(index, id.counter());
    if (event >= 0) {
      return event;
    }
    PackedHistory old = packed;
    if (old != null && target == history) {
      for (PackedHistory.Head head : old.heads()) {
        if (head.id().equals(id)) {
          return head.event();
        }
      }
      return UNKNOWN;
    }
    if (id.equals(target.base().head())) {
      return ROOT;
    }
    return id.counter() < target.base().version().count(id.replica()) ? TRIMMED : UNKNOWN;
  }

  /** Takes back everything that a version lacks. */
  void rollBackTo(VersionVector version) {
    EventHistory all = full();
    walker = null;
    history = all.copy(all.base(), ROOT, version);
    state = HistoryReplay.at(history, version);
  }

  /** Forgets history up to a critical operation. */
  void trim(EventHistory trimmed) {
    history = trimmed;
    packed = null;
    walker = null;
  }
}

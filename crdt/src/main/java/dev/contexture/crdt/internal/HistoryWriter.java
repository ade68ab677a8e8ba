package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitNote;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.Bytes;
import dev.contexture.crdt.internal.data.IntList;
import dev.contexture.crdt.internal.data.LongRange;
import dev.contexture.crdt.internal.data.PackedBytes;
import dev.contexture.crdt.internal.data.PackedWriter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes commits as columns; docs/formats/crdt.md has the bytes. Confined to one thread. */
final class HistoryWriter {
  static final int HAS_REPEAT = 1;
  static final int HAS_PARENTS = 2;
  static final int HAS_SEGMENTS = 4;
  static final int HAS_NOTE = 8;
  static final int FLAG_BITS = 4;
  static final int NOTE_MESSAGE = 1;
  static final int NOTE_AUTHOR = 2;
  static final int NOTE_TIME = 4;

  private final EventHistory history;
  private final EventGraph graph;
  private final Map<ReplicaId, Integer> replicaIndex = new HashMap<>();
  private final List<ReplicaId> replicas = new ArrayList<>();
  private final IntList firstCounters = new IntList();
  private final IntList nextCounters = new IntList();
  private final Map<Integer, Integer> containerIndex = new HashMap<>();
  private final IntList containers = new IntList();
  private final IntList cursors = new IntList();
  private final Bytes commits = new Bytes();
  private final Bytes kinds = new Bytes();
  private final Bytes lengths = new Bytes();
  private final Bytes positions = new Bytes();
  private final Bytes values = new Bytes();
  private final Bytes text = new Bytes();
  private int rangeFrom;
  private int rangeTo;
  private int events;
  private final Map<Integer, Integer> lastEvents = new HashMap<>();

  private HistoryWriter(EventHistory history) {
    this.history = history;
    this.graph = history.graph();
  }

  /** Raw columns of the given commits. */
  static Bytes write(EventHistory history, List<CommitLog.Run> runs) {
    HistoryWriter writer = new HistoryWriter(history);
    writer.writeRuns(runs);
    return writer.assemble();
  }

  /** All commits, packed, with what is needed to continue without unpacking them. */
  static PackedHistory pack(EventHistory history) {
    HistoryWriter writer = new HistoryWriter(history);
    writer.writeRuns(history.commitsAbove(VersionVector.EMPTY));
    List<PackedHistory.Head> heads = new ArrayList<>();
    for (int head : history.graph().heads()) {
      int event = writer.lastEvents.getOrDefault(history.graph().ownerOf(head), -1);
      heads.add(new PackedHistory.Head(history.idOf(head), event));
    }
    PackedBytes block = PackedWriter.pack(writer.assemble());
    VersionVector version = history.replicas().version();
    return new PackedHistory(version, heads, history.graph().maxLamport(), writer.events, block);
  }

  /**
   * Writes commits so that those of one author stand together as far as causes allow: whoever reads
   * them walks along branches instead of jumping between them.
   */
  private void writeRuns(List<CommitLog.Run> runs) {
    Map<Integer, Deque<CommitLog.Run>> authors = new LinkedHashMap<>();
    for (CommitLog.Run run : runs) {
      // Authors first: the counters of their commits go on from the first one in the table.
      replicaOf(history.replicas().id(run.replica()), run.first());
      authors.computeIfAbsent(run.replica(), a -> new ArrayDeque<>()).add(run);
    }
    int authorCount = replicas.size();
    int left = runs.size();
    while (left > 0) {
      int before = left;
      for (Deque<CommitLog.Run> own : authors.values()) {
        while (!own.isEmpty() && isReady(own.getFirst(), authorCount)) {
          writeRun(own.removeFirst());
          left--;
        }
      }
      if (left == before) {
        throw new IllegalStateException("commits follow one another in a circle");
      }
    }
    flushRange();
  }

  /** Whether everything that a run follows is written or was known before. */
  private boolean isReady(CommitLog.Run run, int authorCount) {
    for (ReceivedCommits.Segment segment : segments(run, parts(run))) {
      for (Base.Id parent : segment.parents()) {
        Integer author = replicaIndex.get(parent.replica());
        boolean own = parent.replica().equals(history.replicas().id(run.replica()));
        if (!own
            && author != null
            && author < authorCount
            && parent.counter() >= nextCounters.get(author)) {
          return false;
        }
      }
    }
    return true;
  }

  private void writeRun(CommitLog.Run run) {
    int replica = replicaOf(history.replicas().id(run.replica()), run.first());
    List<int[]> parts = parts(run);
    List<ReceivedCommits.Segment> segments = segments(run, parts);
    boolean plain = segments.isEmpty() || segments.getFirst().offset() > 0;
    List<ReceivedCommits.Segment> later = plain ? segments : segments.subList(1, segments.size());
    int flags =
        (run.repeat() > 1 ? HAS_REPEAT : 0)
            | (plain ? 0 : HAS_PARENTS)
            | (later.isEmpty() ? 0 : HAS_SEGMENTS)
            | (run.note().isEmpty() ? 0 : HAS_NOTE);
    commits.addUnsigned((long) replica << FLAG_BITS | flags);
    commits.addUnsigned(run.length());
    if (run.repeat() > 1) {
      commits.addUnsigned(run.repeat());
    }
    if (!plain) {
      writeParents(segments.getFirst().parents());
    }
    writeSegments(later);
    writeNote(run.note());
    nextCounters.set(replica, run.end());
    parts.forEach(part -> addRange(part[0], part[1]));
    lastEvents.put(run.replica(), events - 1);
  }

  /** The ranges of local numbers that the commits of a run have. */
  private List<int[]> parts(CommitLog.Run run) {
    List<int[]> parts = new ArrayList<>();
    int counter = run.first();
    while (counter < run.end()) {
      int from = graph.eventOf(run.replica(), counter);
      int to = Math.min(graph.end(graph.spanOf(from)), from + run.end() - counter);
      parts.add(new int[] {from, to});
      counter += to - from;
    }
    return parts;
  }

  /** Where the parents are not just the operation before. */
  private List<ReceivedCommits.Segment> segments(CommitLog.Run run, List<int[]> parts) {
    List<ReceivedCommits.Segment> segments = new ArrayList<>();
    ReplicaId author = history.replicas().id(run.replica());
    int offset = 0;
    for (int[] part : parts) {
      List<Base.Id> parents = history.parentIds(part[0]);
      if (!parents.equals(List.of(new Base.Id(author, run.first() + offset - 1)))) {
        segments.add(new ReceivedCommits.Segment(offset, parents));
      }
      offset += part[1] - part[0];
    }
    return segments;
  }

  private void writeParents(List<Base.Id> parents) {
    commits.addUnsigned(parents.size());
    for (Base.Id parent : parents) {
      int replica = replicaOf(parent.replica(), parent.counter() + 1);
      commits.addUnsigned(replica);
      commits.addSigned((long) parent.counter() - nextCounters.get(replica));
    }
  }

  private void writeSegments(List<ReceivedCommits.Segment> segments) {
    if (segments.isEmpty()) {
      return;
    }
    commits.addUnsigned(segments.size());
    int last = 0;
    for (ReceivedCommits.Segment segment : segments) {
      commits.addUnsigned(segment.offset() - last);
      writeParents(segment.parents());
      last = segment.offset();
    }
  }

  private void writeNote(CommitNote note) {
    if (note.isEmpty()) {
      return;
    }
    Instant at = note.at();
    commits.add(
        (note.message().isEmpty() ? 0 : NOTE_MESSAGE)
            | (note.author().isEmpty() ? 0 : NOTE_AUTHOR)
            | (at == null ? 0 : NOTE_TIME));
    if (!note.message().isEmpty()) {
      commits.addText(note.message());
    }
    if (!note.author().isEmpty()) {
      commits.addText(note.author());
    }
    if (at != null) {
      commits.addSigned(at.toEpochMilli());
    }
  }

  /** Neighbouring ranges are written as one, so that runs of typing stay whole. */
  private void addRange(int from, int to) {
    events += to - from;
    if (from != rangeTo || rangeFrom == rangeTo) {
      flushRange();
      rangeFrom = from;
    }
    rangeTo = to;
  }

  private void flushRange() {
    history.ops().forEach(rangeFrom, rangeTo, this::writeOp);
    rangeFrom = rangeTo;
  }

  private void writeOp(Op op) {
    int container = containerOf(op.container);
    kinds.addUnsigned((long) container << 3 | op.kind.code());
    switch (op.kind) {
      case INSERT -> {
        lengths.addUnsigned(op.length);
        writePosition(container, op.position, 0, op.position + op.length);
        if (op.isText()) {
          text.add(op.log.text().array(), op.content, op.contentBytes);
        } else {
          op.values().forEach(values::addText);
        }
      }
      case DELETE -> {
        lengths.addUnsigned(op.length);
        writePosition(container, op.position, 0, op.position);
      }
      case DELETE_BACKWARDS -> {
        lengths.addUnsigned(op.length);
        writePosition(container, op.position, op.length, op.position);
      }
      case SET_ITEM -> {
        writePosition(container, op.position, 0, op.position);
        values.addText(op.value());
      }
      case SET_KEY -> {
        values.addText(op.key());
        values.addText(op.value());
      }
      case REMOVE_KEY -> values.addText(op.key());
      case ADD -> values.addSigned(op.step());
    }
  }

  /** Relative to where the operation before it left the cursor. */
  private void writePosition(int container, int position, int back, int cursorAfter) {
    positions.addSigned((long) position - (cursors.get(container) - back));
    cursors.set(container, cursorAfter);
  }

  private int replicaOf(ReplicaId id, int firstCounter) {
    Integer known = replicaIndex.get(id);
    if (known != null) {
      return known;
    }
    int index = replicas.size();
    replicaIndex.put(id, index);
    replicas.add(id);
    firstCounters.add(firstCounter);
    nextCounters.add(firstCounter);
    return index;
  }

  private int containerOf(int container) {
    Integer known = containerIndex.get(container);
    if (known != null) {
      return known;
    }
    int index = containers.size();
    containerIndex.put(container, index);
    containers.add(container);
    cursors.add(0);
    return index;
  }

  private Bytes assemble() {
    Bytes out = new Bytes(text.size() + positions.size() + 1024);
    out.addUnsigned(replicas.size());
    for (int i = 0; i < replicas.size(); i++) {
      out.addUnsigned(replicas.get(i).bits());
      out.addUnsigned(firstCounters.get(i));
    }
    out.addUnsigned(containers.size());
    for (int i = 0; i < containers.size(); i++) {
      Containers.Key key = history.containers().key(containers.get(i));
      out.add(key.kind().code());
      out.addText(key.name());
    }
    out.addBlock(commits);
    out.addBlock(kinds);
    out.addBlock(lengths);
    out.addBlock(positions);
    out.addBlock(values);
    LongRange.write(text, out);
    return out;
  }
}

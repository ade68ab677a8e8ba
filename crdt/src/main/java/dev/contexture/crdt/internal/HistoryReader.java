package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitNote;
import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.CrdtLimits;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.internal.data.ByteReader;
import dev.contexture.crdt.internal.data.IntList;
import dev.contexture.crdt.internal.data.LongRange;
import dev.contexture.crdt.internal.data.Utf8;
import dev.contexture.crdt.internal.data.Utf8Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@link HistoryWriter} wrote. Confined to one thread. */
final class HistoryReader {
  private static final int MAX_EVENTS = (1 << 30) - 1;

  private final List<ReplicaId> replicas = new ArrayList<>();
  private final IntList nextCounters = new IntList();
  private final Containers containers = new Containers();
  private final OpLog ops = new OpLog(containers, 0);
  private final List<ReceivedCommits> commits = new ArrayList<>();
  private final int sizeBytes;
  private int event;

  private HistoryReader(int sizeBytes) {
    this.sizeBytes = sizeBytes;
  }

  /**
   * Reads commits in the order in which they were written.
   *
   * @param target the containers of the document, to which new ones are added
   */
  static List<ReceivedCommits> read(ByteReader in, Containers target, CrdtLimits limits) {
    HistoryReader reader = new HistoryReader(in.remaining());
    reader.readTables(in, limits.maxNameBytes());
    ByteReader commits = in.block("commits");
    reader.readOps(in, limits.maxDocumentBytes());
    int[] map = new int[reader.containers.size()];
    for (int i = 0; i < map.length; i++) {
      map[i] = target.indexOf(reader.containers.key(i));
    }
    reader.readCommits(commits, new ReceivedCommits.Batch(reader.ops, map, reader.sizeBytes));
    return reader.commits;
  }

  private void readTables(ByteReader in, int maxNameBytes) {
    int replicaCount = in.count("replicas");
    for (int i = 0; i < replicaCount; i++) {
      replicas.add(ReplicaId.of(in.unsigned()));
      nextCounters.add(in.bounded(MAX_EVENTS, "number of an operation"));
    }
    int containerCount = in.count("containers");
    for (int i = 0; i < containerCount; i++) {
      ContainerKind kind = ContainerKind.read(in);
      ByteReader name = in.block("name of a container");
      if (name.remaining() > maxNameBytes) {
        throw CrdtException.limit("size of a container's name", name.remaining(), maxNameBytes);
      }
      byte[] bytes = name.rest();
      String text = ByteReader.decode(bytes, 0, bytes.length, "name of a container");
      if (containers.indexOf(new Containers.Key(kind, text)) != i) {
        throw CrdtException.corrupt("container '" + text + "' is listed twice");
      }
    }
  }

  private void readOps(ByteReader in, int maxTextBytes) {
    ByteReader kinds = in.block("kinds");
    ByteReader lengths = in.block("lengths");
    ByteReader positions = in.block("positions");
    ByteReader values = in.block("values");
    byte[] bytes = LongRange.read(in, maxTextBytes);
    Utf8.check(bytes, 0, bytes.length);
    ByteReader text = new ByteReader(bytes);
    IntList cursors = new IntList();
    for (int i = 0; i < containers.size(); i++) {
      cursors.add(0);
    }
    while (!kinds.atEnd()) {
      int code = kinds.bounded(containers.size() * 8 - 1, "kind of an operation");
      int container = code >>> 3;
      if ((code & 7) >= OpKind.count() || !OpKind.of(code & 7).fits(containers.kind(container))) {
        throw CrdtException.corrupt("operation " + (code & 7) + " does not fit its container");
      }
      readOp(
          OpKind.of(code & 7), container, new Columns(lengths, positions, values, text, cursors));
    }
    lengths.expectEnd("the column of lengths");
    positions.expectEnd("the column of positions");
    values.expectEnd("the column of values");
    text.expectEnd("the inserted text");
  }

  /** The columns from which the parts of an operation are read. */
  private record Columns(
      ByteReader lengths,
      ByteReader positions,
      ByteReader values,
      ByteReader text,
      IntList cursors) {
    int length(int next) {
      int length = lengths.bounded(MAX_EVENTS - next, "length of a run");
      if (length == 0) {
        throw CrdtException.corrupt("a run has no operations");
      }
      return length;
    }

    int position(int container, int back) {
      long position = positions.signed() + cursors.get(container) - back;
      if (position < 0 || position > MAX_EVENTS) {
        throw CrdtException.corrupt("an operation has position " + position);
      }
      cursors.set(container, (int) position);
      return (int) position;
    }
  }

  private void readOp(OpKind kind, int container, Columns in) {
    switch (kind) {
      case INSERT -> readInsert(container, in);
      case DELETE -> {
        int length = in.length(ops.next());
        ops.delete(container, in.position(container, 0), length, false);
      }
      case DELETE_BACKWARDS -> {
        int length = in.length(ops.next());
        ops.deleteBackwards(container, in.position(container, length), length, false);
      }
      case SET_ITEM ->
          ops.setItem(container, in.position(container, 0), in.values().text("a value"));
      case SET_KEY -> ops.setKey(container, in.values().text("a key"), in.values().text("a value"));
      case REMOVE_KEY -> ops.removeKey(container, in.values().text("a key"));
      case ADD -> ops.add(container, in.values().signed());
    }
  }

  private void readInsert(int container, Columns in) {
    int length = in.length(ops.next());
    int position = in.position(container, 0);
    if (containers.kind(container) == ContainerKind.TEXT) {
      ops.insertText(container, position, slice(in.text(), length), false);
    } else {
      if (length > in.values().remaining()) {
        throw CrdtException.corrupt("fewer values than elements");
      }
      List<String> items = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        items.add(in.values().text("an element"));
      }
      ops.insertItems(container, position, items, false);
    }
    in.cursors().set(container, position + length);
  }

  private static Utf8Slice slice(ByteReader text, int codePoints) {
    int from = text.position();
    byte[] source = text.source();
    for (int i = 0; i < codePoints; i++) {
      text.skip(text.atEnd() ? 1 : Utf8.width(source[text.position()]));
    }
    return new Utf8Slice(source, from, text.position() - from, codePoints);
  }

  private void readCommits(ByteReader in, ReceivedCommits.Batch batch) {
    while (!in.atEnd()) {
      long head = in.unsigned();
      int flags = (int) head & (1 << HistoryWriter.FLAG_BITS) - 1;
      int replica = replica(head >>> HistoryWriter.FLAG_BITS);
      int length = positive(in, "length of a commit", MAX_EVENTS);
      int repeat =
          (flags & HistoryWriter.HAS_REPEAT) == 0
              ? 1
              : positive(in, "number of commits", MAX_EVENTS);
      int first = nextCounters.get(replica);
      if ((long) length * repeat > Math.min(MAX_EVENTS - first, ops.next() - event)) {
        throw CrdtException.corrupt("commits have more operations than there are");
      }
      if (repeat > 1 && (flags & HistoryWriter.HAS_SEGMENTS) != 0) {
        throw CrdtException.corrupt("a repeated commit has several segments");
      }
      List<ReceivedCommits.Segment> segments = readSegments(in, flags, replica, length);
      CommitNote note =
          (flags & HistoryWriter.HAS_NOTE) == 0 ? CommitNote.NONE : readNote(in, repeat);
      ReceivedCommits.Shape shape = new ReceivedCommits.Shape(length, repeat);
      commits.add(
          new ReceivedCommits(replicas.get(replica), first, shape, segments, note, batch, event));
      nextCounters.set(replica, first + shape.operations());
      event += shape.operations();
    }
    if (event != ops.next()) {
      throw CrdtException.corrupt("commits have fewer operations than there are");
    }
  }

  private List<ReceivedCommits.Segment> readSegments(
      ByteReader in, int flags, int replica, int operations) {
    List<ReceivedCommits.Segment> segments = new ArrayList<>();
    if ((flags & HistoryWriter.HAS_PARENTS) != 0) {
      segments.add(new ReceivedCommits.Segment(0, readParents(in)));
    } else {
      int previous = nextCounters.get(replica) - 1;
      if (previous < 0) {
        throw CrdtException.corrupt("a first operation continues an earlier one");
      }
      Base.Id parent = new Base.Id(replicas.get(replica), previous);
      segments.add(new ReceivedCommits.Segment(0, List.of(parent)));
    }
    if ((flags & HistoryWriter.HAS_SEGMENTS) != 0) {
      int count = in.count("segments");
      int offset = 0;
      for (int i = 0; i < count; i++) {
        offset += positive(in, "offset of a segment", operations - offset - 1);
        segments.add(new ReceivedCommits.Segment(offset, readParents(in)));
      }
    }
    return segments;
  }

  private List<Base.Id> readParents(ByteReader in) {
    int count = in.count("parents");
    List<Base.Id> parents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int replica = replica(in.unsigned());
      long counter = in.signed() + nextCounters.get(replica);
      if (counter < 0 || counter > MAX_EVENTS) {
        throw CrdtException.corrupt("a parent has number " + counter);
      }
      parents.add(new Base.Id(replicas.get(replica), (int) counter));
    }
    return parents;
  }

  private static CommitNote readNote(ByteReader in, int repeat) {
    int flags = in.next();
    if (repeat > 1 || flags == 0 || flags > 7) {
      throw CrdtException.corrupt("a note is malformed");
    }
    String message = (flags & HistoryWriter.NOTE_MESSAGE) == 0 ? "" : in.text("a message");
    String author = (flags & HistoryWriter.NOTE_AUTHOR) == 0 ? "" : in.text("an author");
    Instant at = (flags & HistoryWriter.NOTE_TIME) == 0 ? null : Instant.ofEpochMilli(in.signed());
    return new CommitNote(message, author, at);
  }

  private int replica(long index) {
    if (index < 0 || index >= replicas.size()) {
      throw CrdtException.corrupt("there is no replica " + Long.toUnsignedString(index));
    }
    return (int) index;
  }

  private static int positive(ByteReader in, String what, int max) {
    int value = in.bounded(Math.max(0, max), what);
    if (value == 0) {
      throw CrdtException.corrupt(what + " is 0");
    }
    return value;
  }
}

package dev.contexture.crdt.internal;

import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.ByteReader;
import dev.contexture.crdt.internal.data.Bytes;
import dev.contexture.crdt.internal.data.PackedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes the payload of a snapshot. */
final class SnapshotFormat {
  private static final int HAS_BASE = 1;
  private static final int HAS_HISTORY = 2;
  private static final int MAX_EVENTS = (1 << 30) - 1;

  /**
   * The parts of a snapshot.
   *
   * @param history what happened after the trim point; null if nothing did
   * @param state packed values after all of it
   */
  record Parts(Base base, @Nullable PackedHistory history, PackedBytes state) {
    static final Parts EMPTY = new Parts(Base.EMPTY, null, PackedBytes.EMPTY);
  }

  private SnapshotFormat() {}

  static Bytes write(Parts parts) {
    Bytes out = new Bytes(parts.state().size() + 1024);
    Base.Id head = parts.base().head();
    PackedHistory history = parts.history();
    if (head == null && history == null) {
      return out;
    }
    out.add((head == null ? 0 : HAS_BASE) | (history == null ? 0 : HAS_HISTORY));
    if (head != null) {
      writeVersion(out, parts.base().version());
      writeId(out, head);
      out.addUnsigned(parts.base().lamport());
      out.addBlock(parts.base().state());
    }
    if (history != null) {
      writeVersion(out, history.version());
      out.addUnsigned(history.heads().size());
      for (PackedHistory.Head newest : history.heads()) {
        writeId(out, newest.id());
        out.addUnsigned(newest.event());
      }
      out.addUnsigned(history.lamport());
      out.addUnsigned(history.events());
      out.addBlock(history.block());
      out.addBlock(parts.state());
    }
    return out;
  }

  static Parts read(ByteReader in) {
    if (in.atEnd()) {
      return Parts.EMPTY;
    }
    int flags = in.next();
    if (flags == 0 || flags > (HAS_BASE | HAS_HISTORY)) {
      throw CrdtException.corrupt("a snapshot has the unknown parts " + flags);
    }
    Base base = (flags & HAS_BASE) == 0 ? Base.EMPTY : readBase(in);
    PackedHistory history = (flags & HAS_HISTORY) == 0 ? null : readHistory(in);
    PackedBytes state =
        history == null ? base.state() : new PackedBytes(in.block("the state").rest());
    in.expectEnd("a snapshot");
    return new Parts(base, history, state);
  }

  private static Base readBase(ByteReader in) {
    VersionVector version = readVersion(in);
    Base.Id head = readId(in);
    if (version.count(head.replica()) != head.counter() + 1) {
      throw CrdtException.corrupt("the trim point is not part of its version");
    }
    int lamport = in.bounded(MAX_EVENTS, "time of the trim point");
    return new Base(
        version, head, lamport, new PackedBytes(in.block("the state at the trim point").rest()));
  }

  private static PackedHistory readHistory(ByteReader in) {
    VersionVector version = readVersion(in);
    int count = in.count("heads");
    List<PackedHistory.Head> heads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Base.Id id = readId(in);
      heads.add(new PackedHistory.Head(id, in.bounded(MAX_EVENTS, "number of an operation")));
    }
    int lamport = in.bounded(MAX_EVENTS, "newest time");
    int events = in.bounded(MAX_EVENTS, "number of operations");
    for (PackedHistory.Head head : heads) {
      if (head.event() >= events || version.count(head.id().replica()) <= head.id().counter()) {
        throw CrdtException.corrupt("a newest operation is not part of the history");
      }
    }
    if (heads.isEmpty() || events == 0) {
      throw CrdtException.corrupt("a history has no operations");
    }
    return new PackedHistory(
        version, heads, lamport, events, new PackedBytes(in.block("the history").rest()));
  }

  private static void writeVersion(Bytes out, VersionVector version) {
    out.addUnsigned(version.counts().size());
    version
        .counts()
        .forEach(
            (replica, count) -> {
              out.addUnsigned(replica.bits());
              out.addUnsigned(count);
            });
  }

  private static VersionVector readVersion(ByteReader in) {
    int count = in.count("replicas");
    Map<ReplicaId, Integer> counts = new HashMap<>();
    for (int i = 0; i < count; i++) {
      counts.put(ReplicaId.of(in.unsigned()), in.bounded(MAX_EVENTS, "number of operations"));
    }
    return VersionVector.of(counts);
  }

  private static void writeId(Bytes out, Base.Id id) {
    out.addUnsigned(id.replica().bits());
    out.addUnsigned(id.counter());
  }

  private static Base.Id readId(ByteReader in) {
    ReplicaId replica = ReplicaId.of(in.unsigned());
    return new Base.Id(replica, in.bounded(MAX_EVENTS, "number of an operation"));
  }
}

package dev.contexture.crdt.internal;

import dev.contexture.crdt.CommitEvent;
import dev.contexture.crdt.CommitListener;
import dev.contexture.crdt.CommitNote;
import dev.contexture.crdt.CommitRecord;
import dev.contexture.crdt.CrdtErrorCode;
import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.CrdtLimits;
import dev.contexture.crdt.DocumentStep;
import dev.contexture.crdt.MergeResult;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.crdt.internal.data.ByteReader;
import dev.contexture.crdt.internal.data.Bytes;
import dev.contexture.crdt.internal.data.Envelope;
import dev.contexture.crdt.internal.data.PackedBytes;
import dev.contexture.crdt.internal.data.PackedWriter;
import dev.contexture.crdt.internal.data.Utf8;
import dev.contexture.crdt.internal.data.Utf8Slice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operations of a document: edits, commits, merges. Confined to one thread. */
public final class DocumentCore {
  private final ReplicaId self;
  private final CrdtLimits limits;
  private final Containers containers;
  private final Merger merger;
  private final List<CommitListener> listeners = new ArrayList<>();
  private DocumentContent content;
  private int committed;
  private @Nullable List<DocumentStep> pendingChanges;

  /** An empty document. */
  public DocumentCore(ReplicaId self, CrdtLimits limits) {
    this.self = self;
    this.limits = limits;
    this.containers = new Containers();
    this.merger = new Merger(self, limits);
    this.content = new DocumentContent(SnapshotFormat.Parts.EMPTY, containers, limits);
  }

  private DocumentCore(DocumentCore other, ReplicaId self) {
    this.self = self;
    this.limits = other.limits;
    this.containers = other.containers.copy();
    this.merger = new Merger(self, limits);
    this.content = other.content.copy(containers);
    this.committed = content.recent().replicas().count(self);
  }

  /** A document as a snapshot has it. */
  public static DocumentCore load(byte[] snapshot, ReplicaId self, CrdtLimits limits) {
    Envelope envelope = Envelope.read(snapshot, limits.maxDocumentBytes());
    if (envelope.kind() != Envelope.Kind.SNAPSHOT) {
      throw CrdtException.corrupt("they are a delta, not a snapshot; merge them instead");
    }
    DocumentCore core = new DocumentCore(self, limits);
    core.adopt(SnapshotFormat.read(envelope.payload()));
    return core;
  }

  /**
   * What is committed, as a document of its own. Arrays and tables are copied as they are; only
   * what has edits that are not committed, or may be too large, goes the long way over its bytes.
   */
  public DocumentCore fork(ReplicaId replica) {
    return hasUncommittedEdits() || content.heldBytes() > limits.maxDocumentBytes()
        ? load(exportFull(), replica, limits)
        : new DocumentCore(this, replica);
  }

  /** A document as it was at an old version. */
  public DocumentCore forkAt(VersionVector version, ReplicaId replica) {
    EventHistory history = Versions.requireKnown(content.full(), version, version());
    DocumentCore fork = new DocumentCore(replica, limits);
    for (int i = 0; i < containers.size(); i++) {
      fork.containers.indexOf(containers.key(i));
    }
    EventHistory copy = history.copy(history.base(), -1, version, fork.containers);
    fork.content = new DocumentContent(copy, HistoryReplay.at(copy, version), limits);
    fork.committed = version.count(replica);
    return fork;
  }

  private void adopt(SnapshotFormat.Parts parts) {
    content = new DocumentContent(parts, containers, limits);
    committed = content.recent().replicas().count(self);
  }

  /** The text as it would be stored. */
  public static String storable(String text) {
    return Utf8.sanitized(text);
  }

  public CrdtLimits limits() {
    return limits;
  }

  public ReplicaId self() {
    return self;
  }

  public StateReader reading() {
    return new StateReader(content.state(), containers);
  }

  /** The values at a version that lies in the history. */
  public StateReader at(VersionVector version) {
    EventHistory history = Versions.requireKnown(content.full(), version, version());
    return new StateReader(HistoryReplay.at(history, version), containers);
  }

  /** The index of a container, which need not have any content yet. */
  public int container(ContainerKind kind, String name) {
    Containers.Key key = new Containers.Key(kind, Utf8.sanitized(name));
    Integer known = containers.find(key);
    if (known != null) {
      return known;
    }
    int bytes = key.name().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > limits.maxNameBytes()) {
      throw CrdtException.limit("size of a container's name", bytes, limits.maxNameBytes());
    }
    return containers.indexOf(key);
  }

  public void splice(int container, int position, int deleteCount, String insert) {
    requireRange(container, position, deleteCount);
    Utf8Slice inserted = Utf8Slice.of(insert);
    requireSize(inserted.size());
    delete(container, position, deleteCount);
    if (inserted.size() > 0) {
      boolean joins = content.appendLocal(self, inserted.codePoints());
      content.recent().ops().insertText(container, position, inserted, joins);
      content
          .state()
          .text(container)
          .insert(position, inserted.bytes(), 0, inserted.size(), inserted.codePoints());
      if (pendingChanges != null) {
        String name = containers.name(container);
        pendingChanges.add(new DocumentStep.TextInserted(name, position, Utf8.sanitized(insert)));
      }
    }
  }

  public void insertItems(int container, int position, List<String> items) {
    requireRange(container, position, 0);
    List<String> values = items.stream().map(Utf8::sanitized).toList();
    if (values.isEmpty()) {
      return;
    }
    values.forEach(value -> requireSize(value.length()));
    boolean joins = content.appendLocal(self, values.size());
    content.recent().ops().insertItems(container, position, values, joins);
    content.state().list(container).addAll(position, values);
    if (pendingChanges != null) {
      pendingChanges.add(
          new DocumentStep.ItemsInserted(containers.name(container), position, values));
    }
  }

  /** Deletes code points or elements. */
  public void delete(int container, int position, int count) {
    requireRange(container, position, count);
    if (count > 0) {
      boolean joins = content.appendLocal(self, count);
      content.recent().ops().delete(container, position, count, joins);
      content.state().record(pendingChanges);
      content.state().delete(container, position, count);
      content.state().record(null);
    }
  }

  public void setItem(int container, int position, String value) {
    requireRange(container, position, 1);
    requireSize(value.length());
    content.appendLocal(self, 1);
    content.recent().ops().setItem(container, position, Utf8.sanitized(value));
    applyLast();
  }

  public void setKey(int container, String key, String value) {
    requireSize(key.length());
    requireSize(value.length());
    content.appendLocal(self, 1);
    content.recent().ops().setKey(container, Utf8.sanitized(key), Utf8.sanitized(value));
    applyLast();
  }

  public void removeKey(int container, String key) {
    if (content.state().map(container).get(key) != null) {
      content.appendLocal(self, 1);
      content.recent().ops().removeKey(container, key);
      applyLast();
    }
  }

  public void add(int container, long step) {
    if (step != 0) {
      content.appendLocal(self, 1);
      content.recent().ops().add(container, step);
      applyLast();
    }
  }

  private void applyLast() {
    EventHistory history = content.recent();
    int next = history.graph().next();
    content.state().record(pendingChanges);
    history.ops().forEach(next - 1, next, op -> content.state().apply(op, history));
    content.state().record(null);
  }

  private void requireRange(int container, int position, int count) {
    int length = content.state().length(container);
    if (position < 0 || count < 0 || position > length - count) {
      throw new CrdtException(
          CrdtErrorCode.INDEX_OUT_OF_RANGE,
          "position "
              + position
              + " and count "
              + count
              + " do not fit '"
              + containers.name(container)
              + "', which has length "
              + length);
    }
  }

  private void requireSize(int size) {
    if (size > limits.maxDocumentBytes()) {
      throw CrdtException.limit("size of a value", size, limits.maxDocumentBytes());
    }
  }

  public boolean hasUncommittedEdits() {
    return content.recent().replicas().count(self) > committed;
  }

  /** Makes the edits since the last commit exportable; empty if there are none. */
  public Optional<CommitRecord> commit(CommitNote note) {
    int count = content.recent().replicas().count(self) - committed;
    if (count == 0) {
      return Optional.empty();
    }
    int length = note.message().codePointCount(0, note.message().length());
    if (length > limits.maxMessageCodePoints()) {
      throw CrdtException.limit("length of the message", length, limits.maxMessageCodePoints());
    }
    CommitNote clean =
        new CommitNote(Utf8.sanitized(note.message()), Utf8.sanitized(note.author()), note.at());
    content.recent().addCommits(self, committed, new ReceivedCommits.Shape(count, 1), clean);
    CommitRecord made = new CommitRecord(self, committed, count, clean);
    committed += count;
    List<DocumentStep> changes = pendingChanges;
    if (changes != null) {
      pendingChanges = new ArrayList<>();
      tell(List.of(new CommitEvent(made, true, changes)));
    }
    return Optional.of(made);
  }

  /** Calls a listener for each commit from now on; run the result to end that. */
  public Runnable listen(CommitListener listener) {
    if (hasUncommittedEdits() && pendingChanges == null) {
      throw CrdtException.invalid("listening", "asked for amid edits", "after a commit");
    }
    listeners.add(listener);
    if (pendingChanges == null) {
      pendingChanges = new ArrayList<>();
    }
    return () -> {
      listeners.remove(listener);
      if (listeners.isEmpty()) {
        pendingChanges = null;
      }
    };
  }

  private void tell(List<CommitEvent> events) {
    for (CommitEvent event : events) {
      for (CommitListener listener : List.copyOf(listeners)) {
        listener.committed(event);
      }
    }
  }

  /** Merges a snapshot or delta of another replica. */
  public MergeResult merge(byte[] encoded) {
    Envelope envelope = Envelope.read(encoded, limits.maxDocumentBytes());
    DocumentContent before = content;
    boolean uncommitted = hasUncommittedEdits();
    List<CommitEvent> events = listeners.isEmpty() ? null : new ArrayList<>();
    MergeResult result;
    try {
      List<ReceivedCommits> commits =
          switch (envelope.kind()) {
            case DELTA -> readDelta(envelope.payload());
            case SNAPSHOT -> readSnapshot(SnapshotFormat.read(envelope.payload()));
          };
      result = merger.merge(content, commits, committed, events);
    } catch (RuntimeException e) {
      content = before;
      throw e;
    }
    if (!uncommitted) {
      committed = content.recent().replicas().count(self);
    }
    if (events != null) {
      tell(events);
    }
    return result;
  }

  private List<ReceivedCommits> readDelta(ByteReader payload) {
    return payload.atEnd() ? List.of() : readHistory(new PackedBytes(payload.rest()));
  }

  private List<ReceivedCommits> readHistory(PackedBytes packed) {
    ByteReader raw = PackedWriter.unpack(packed, limits.maxDocumentBytes());
    return HistoryReader.read(raw, containers, limits);
  }

  /** An empty document takes over the trimmed part; any other must have it already. */
  private List<ReceivedCommits> readSnapshot(SnapshotFormat.Parts parts) {
    PackedHistory history = parts.history();
    List<ReceivedCommits> commits = history == null ? List.of() : readHistory(history.block());
    if (!version().includes(parts.base().version())) {
      if (!content.recent().replicas().version().isEmpty()) {
        throw CrdtException.trimmed("what this document lacks of the snapshot");
      }
      adopt(new SnapshotFormat.Parts(parts.base(), null, parts.base().state()));
    }
    return commits;
  }

  /** What is committed here. */
  public VersionVector version() {
    VersionVector all = content.recent().replicas().version();
    if (!hasUncommittedEdits()) {
      return all;
    }
    Map<ReplicaId, Integer> counts = new HashMap<>(all.counts());
    counts.put(self, committed);
    return VersionVector.of(counts);
  }

  /** The version below which history is gone. */
  public VersionVector trimPoint() {
    return content.recent().base().version();
  }

  /** All commits above the trim point, causes before effects. */
  public List<CommitRecord> commits() {
    return Versions.commits(content.full());
  }

  /** The commits that a version lacks. */
  public byte[] exportSince(VersionVector known) {
    if (!known.includes(trimPoint())) {
      throw CrdtException.trimmed("version " + known);
    }
    PackedHistory packed = content.packed();
    EventHistory history =
        packed != null && !known.includes(packed.version()) ? content.full() : content.recent();
    List<CommitLog.Run> runs = history.commitsAbove(known);
    Bytes payload = new Bytes();
    if (!runs.isEmpty()) {
      payload.add(PackedWriter.pack(HistoryWriter.write(history, runs)).bytes());
    }
    return encode(Envelope.Kind.DELTA, payload);
  }

  /** Everything that is committed, with all history above the trim point. */
  public byte[] exportFull() {
    return encode(Envelope.Kind.SNAPSHOT, SnapshotFormat.write(parts()));
  }

  private SnapshotFormat.Parts parts() {
    EventHistory recent = content.recent();
    if (hasUncommittedEdits()) {
      EventHistory clean = content.full().copy(recent.base(), -1, version());
      return Versions.parts(clean, HistoryReplay.at(clean, version()));
    }
    PackedHistory packed = content.packed();
    if (packed != null && recent.graph().next() == packed.events()) {
      PackedBytes state = StateFormat.write(content.state(), containers);
      return new SnapshotFormat.Parts(recent.base(), packed, state);
    }
    return Versions.parts(content.full(), content.state());
  }

  /** Everything that is committed, with no more history below a version than merging needs. */
  public byte[] exportState(VersionVector version) {
    VersionVector committedVersion = version();
    EventHistory history = Versions.requireKnown(content.full(), version, committedVersion);
    int point = Versions.trimPoint(history, version);
    if (point < 0) {
      return exportFull();
    }
    EventHistory trimmed = Versions.trim(history, point, committedVersion);
    State state =
        hasUncommittedEdits() ? HistoryReplay.at(trimmed, committedVersion) : content.state();
    return encode(Envelope.Kind.SNAPSHOT, SnapshotFormat.write(Versions.parts(trimmed, state)));
  }

  /** Forgets history below a version as far as merging above it allows. */
  public void trim(VersionVector version) {
    EventHistory history = Versions.requireKnown(content.full(), version, version());
    int point = Versions.trimPoint(history, version);
    if (point >= 0) {
      content.trim(Versions.trim(history, point, history.replicas().version()));
    }
  }

  private byte[] encode(Envelope.Kind kind, Bytes payload) {
    byte[] encoded = Envelope.write(kind, payload);
    if (encoded.length > limits.maxDocumentBytes()) {
      throw CrdtException.limit(
          "size of the encoded document", encoded.length, limits.maxDocumentBytes());
    }
    return encoded;
  }
}

package dev.contexture.crdt;

import dev.contexture.crdt.internal.ContainerKind;
import dev.contexture.crdt.internal.DocumentCore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A set of named containers that several replicas edit at the same time and merge without loss.
 *
 * <p>Containers exist as soon as they are named; a text and a map may share a name. Edits show at
 * once in this document and become part of what others can merge with {@link #commit}. Replicas
 * that have merged the same commits, in any order and number, hold equal values and versions.
 *
 * <p>A document and its containers are confined to one thread at a time: whoever hands one over
 * must publish it safely. {@link VersionVector}, {@link DocumentView} and exported bytes are
 * immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Document {
  private final DocumentCore core;

  private Document(DocumentCore core) {
    this.core = core;
  }

  /** An empty document. */
  public static Document create(ReplicaId replica) {
    return create(replica, CrdtLimits.DEFAULT);
  }

  /** An empty document with limits of its own. */
  public static Document create(ReplicaId replica, CrdtLimits limits) {
    return new Document(new DocumentCore(Objects.requireNonNull(replica), limits));
  }

  /** A document as a snapshot has it, edited from now on under the given replica id. */
  public static Document load(byte[] snapshot, ReplicaId replica) {
    return load(snapshot, replica, CrdtLimits.DEFAULT);
  }

  /** As {@link #load(byte[], ReplicaId)}, with limits of its own. */
  public static Document load(byte[] snapshot, ReplicaId replica, CrdtLimits limits) {
    return new Document(DocumentCore.load(snapshot, Objects.requireNonNull(replica), limits));
  }

  /** What is committed here as a document of its own, under a fresh replica id. */
  public Document fork(ReplicaId replica) {
    return new Document(core.fork(Objects.requireNonNull(replica)));
  }

  /**
   * This document as it was at a version, to be edited there under a fresh replica id and merged
   * back.
   *
   * @throws CrdtException {@code HISTORY_TRIMMED} or {@code UNKNOWN_VERSION} if it has no such
   *     version
   */
  public Document forkAt(VersionVector version, ReplicaId replica) {
    return new Document(core.forkAt(version, Objects.requireNonNull(replica)));
  }

  public ReplicaId replica() {
    return core.self();
  }

  public SharedText text(String name) {
    return new SharedText(core, core.container(ContainerKind.TEXT, name));
  }

  public SharedList list(String name) {
    return new SharedList(core, core.container(ContainerKind.LIST, name));
  }

  public SharedMap map(String name) {
    return new SharedMap(core, core.container(ContainerKind.MAP, name));
  }

  public SharedCounter counter(String name) {
    return new SharedCounter(core, core.container(ContainerKind.COUNTER, name));
  }

  /** Makes the edits since the last commit available to others; empty if there are none. */
  public Optional<CommitRecord> commit() {
    return commit(CommitNote.NONE);
  }

  /**
   * As {@link #commit()}, with a record of what was done and by whom.
   *
   * @throws CrdtException {@code LIMIT_EXCEEDED} if the message is too long
   */
  public Optional<CommitRecord> commit(CommitNote note) {
    return core.commit(note);
  }

  public boolean hasUncommittedEdits() {
    return core.hasUncommittedEdits();
  }

  /** Hears of every commit from now on; run the result to stop. Begin it between commits. */
  public Runnable listen(CommitListener listener) {
    return core.listen(Objects.requireNonNull(listener));
  }

  /** What is committed here: equal for documents that merged the same commits. */
  public VersionVector version() {
    return core.version();
  }

  /** The version below which history is gone; empty if nothing was trimmed. */
  public VersionVector trimPoint() {
    return core.trimPoint();
  }

  /** All commits above the trim point, each behind those it follows. */
  public List<CommitRecord> commits() {
    return core.commits();
  }

  /**
   * Merges a snapshot or delta. Doing it twice is doing it once. Commits that follow unknown ones
   * wait for these. All of it is taken or, if anything is wrong, nothing.
   *
   * @throws CrdtException {@code CORRUPT_DATA} or {@code UNSUPPORTED_FORMAT} for bytes that cannot
   *     be read, {@code HISTORY_TRIMMED} for commits that follow what was trimmed here, {@code
   *     LIMIT_EXCEEDED} if too much waits
   */
  public MergeResult merge(byte[] encoded) {
    return core.merge(encoded);
  }

  /**
   * A delta with the commits that a version lacks.
   *
   * @throws CrdtException {@code HISTORY_TRIMMED} if it lacks some that were trimmed
   */
  public byte[] exportSince(VersionVector known) {
    return core.exportSince(known);
  }

  /** Everything that is committed, with its history. */
  public byte[] exportSnapshot() {
    return core.exportFull();
  }

  /** Everything that is committed, with as little history as possible. */
  public byte[] exportState() {
    return exportState(version());
  }

  /**
   * Everything that is committed, without history below a version; it keeps what commits that are
   * known here and lie above or beside that version need.
   *
   * @throws CrdtException {@code HISTORY_TRIMMED} or {@code UNKNOWN_VERSION} if this document has
   *     no such version
   */
  public byte[] exportState(VersionVector trimPoint) {
    return core.exportState(trimPoint);
  }

  /** Forgets history below a version, as {@link #exportState(VersionVector)} does in its bytes. */
  public void trim(VersionVector trimPoint) {
    core.trim(trimPoint);
  }

  /** The values as they are now, uncommitted edits included. */
  public DocumentView view() {
    return DocumentView.of(core.reading());
  }

  /**
   * The values as they were at a version.
   *
   * @throws CrdtException {@code HISTORY_TRIMMED} or {@code UNKNOWN_VERSION} if it has no such
   *     version
   */
  public DocumentView at(VersionVector version) {
    return DocumentView.of(core.at(version));
  }
}

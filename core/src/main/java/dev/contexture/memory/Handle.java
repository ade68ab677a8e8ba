package dev.contexture.memory;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.DocumentStep;
import dev.contexture.crdt.VersionVector;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.OperationClass;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.textedit.BaseEdit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * The document that a handle edits: what is committed, up to a version, and pending edits on top.
 * Every operation is committed in this private document at once, so that copying it copies the
 * pending edits too; what is pending is what it has beyond the last published version. Whatever
 * cannot be checked before it is done is done on a copy, which then takes the document's place.
 */
/** The state of a handle and its views. Confined to one thread. */
final class Handle {
  final DocumentHost host;
  private Document document;
  private NavigableMap<Long, VersionVector> versions;
  private AtomicReference<@Nullable ItemLengths> lengths;
  private List<Edit> edits = new ArrayList<>();
  private final Map<OperationClass, Edit> attempts = new EnumMap<>(OperationClass.class);
  private boolean closed;

  Handle(DocumentState state, DocumentHost host) {
    this.host = host;
    this.document = state.document();
    this.versions = state.versions();
    this.lengths = state.lengths();
  }

  Document document() {
    checkOpen();
    return document;
  }

  long version() {
    return versions.lastKey();
  }

  /** How long items of the document's only list are; what changed since the last time is read. */
  ItemLengths lengths(ListSchema schema, List<String> items) {
    return ItemLengths.of(schema, items, lengths);
  }

  boolean hasEdits() {
    return !edits.isEmpty();
  }

  /** Notes an edit that the gate let pass, whether it changes something or not. */
  void attempt(Edit edit) {
    attempts.putIfAbsent(edit.operationClass(), edit);
  }

  /** Edits since the last commit, one of each class, also those that changed nothing. */
  List<Edit> attempts() {
    return List.copyOf(attempts.values());
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  private void checkOpen() {
    if (closed) {
      throw MemoryErrors.argument("handle", "closed", "an open one; get the block again");
    }
  }

  private VersionVector published() {
    return versions.lastEntry().getValue();
  }

  /** Edits the document in place: the edit has been checked and cannot fail. */
  void edit(Edit edit, Consumer<Document> change) {
    change.accept(document());
    note(edit);
  }

  private void note(Edit edit) {
    if (document.commit().isPresent()) {
      edits.add(edit);
    }
  }

  /**
   * Edits the document at a version and merges that.
   *
   * @param change the edit; an item that it removes or replaces, and that others have changed
   *     since, it has not seen, so that it is dropped
   * @param check refuses the result: before, after
   */
  BaseEdit editAt(long base, Edit edit, BaseChange change, Check check) {
    if (base < 0 || base > version()) {
      throw MemoryErrors.argument("base", base, "0 to " + version() + ", the current version");
    }
    VersionVector at = versions.get(base);
    if (at == null) {
      throw MemoryErrors.trimmed(base, versions.firstKey());
    }
    Document fork = MemoryErrors.translating(() -> document().forkAt(at, host.freshReplica()));
    String seen = change.apply(fork);
    if (fork.commit().isEmpty()) {
      return BaseEdit.APPLIED;
    }
    byte[] delta = MemoryErrors.translating(() -> fork.exportSince(at));
    Document merged = copy();
    List<DocumentStep> changes = new ArrayList<>();
    Runnable stop = merged.listen(event -> changes.addAll(event.changes()));
    MemoryErrors.translating(() -> merged.merge(delta));
    stop.run();
    if (seen != null
        && (changes.isEmpty() || changes.stream().anyMatch(done -> hitsUnseen(done, seen)))) {
      return BaseEdit.ITEM_CHANGED;
    }
    check.accept(document, merged);
    document = merged;
    edits.add(edit);
    return BaseEdit.APPLIED;
  }

  /** Makes an edit and tells which item it removes or replaces, if it does. */
  interface BaseChange {
    @Nullable String apply(Document fork);
  }

  /** Refuses a changed document that breaks a rule. */
  interface Check {
    void accept(Document before, Document after);
  }

  private boolean hitsUnseen(DocumentStep change, String seen) {
    return switch (change) {
      case DocumentStep.ItemSet set ->
          !document.list(set.container()).get(set.position()).equals(seen);
      case DocumentStep.ItemsDeleted deleted ->
          !document.list(deleted.container()).get(deleted.position()).equals(seen);
      case DocumentStep.ItemsInserted _unused -> false;
      case DocumentStep.TextInserted _unused -> false;
      case DocumentStep.TextDeleted _unused -> false;
      case DocumentStep.KeySet _unused -> false;
      case DocumentStep.KeyRemoved _unused -> false;
      case DocumentStep.CounterAdded _unused -> false;
    };
  }

  /** Refuses a document that known steps changed against a rule. */
  interface StepCheck {
    void accept(Document before, List<DocumentStep> steps, Document after);
  }

  /** Merges updates of another replica, all or nothing. */
  void merge(byte[] updates, Edit edit, StepCheck check) {
    Document merged = copy();
    List<DocumentStep> steps = new ArrayList<>();
    Runnable stop = merged.listen(event -> steps.addAll(event.changes()));
    int waiting = MemoryErrors.translating(() -> merged.merge(updates)).waiting();
    stop.run();
    if (waiting > 0) {
      throw MemoryErrors.argument(
          "updates", waiting + " that follow unknown ones", "updates with all that they follow");
    }
    check.accept(document(), steps, merged);
    boolean changed = !merged.version().equals(document.version());
    document = merged;
    if (changed) {
      edits.add(edit);
    }
  }

  private Document copy() {
    Document now = document();
    return MemoryErrors.translating(() -> now.fork(now.replica()));
  }

  /** The pending edits as one step, else those that changed nothing; empty if there are none. */
  Optional<PendingCommit> pending(Actor actor, String message) {
    List<Edit> made = edits.isEmpty() ? attempts() : edits;
    if (made.isEmpty()) {
      return Optional.empty();
    }
    Document now = document();
    byte[] delta = MemoryErrors.translating(() -> now.exportSince(published()));
    return Optional.of(
        new PendingCommit(new PendingCommit.Source(version(), actor, message), delta, made));
  }

  /** After the pending edits became this version. */
  void published(long version) {
    edits = new ArrayList<>();
    attempts.clear();
    if (version == version() + 1) {
      versions.put(version, document.version());
    } else {
      adopt(host.current());
    }
  }

  /** Takes over what others committed; pending edits stay unless they are based below the trim. */
  void refresh() {
    DocumentState current = host.current();
    if (current.version() == version()) {
      return;
    }
    if (!edits.isEmpty()) {
      byte[] pending = MemoryErrors.translating(() -> document().exportSince(published()));
      if (version() < current.oldest() || !mergeInto(current.document(), pending)) {
        edits = new ArrayList<>();
      }
    }
    adopt(current);
  }

  private static boolean mergeInto(Document current, byte[] pending) {
    try {
      MemoryErrors.translating(() -> current.merge(pending));
      return true;
    } catch (ContextureException refused) {
      if (refused.code() != ErrorCode.HISTORY_TRIMMED) {
        throw refused;
      }
      return false;
    }
  }

  private void adopt(DocumentState state) {
    document = state.document();
    versions = new TreeMap<>(state.versions());
    lengths = state.lengths();
  }

  byte[] export() {
    Document now = document();
    return MemoryErrors.translating(now::exportSnapshot);
  }
}

package dev.contexture.memory;

import dev.contexture.crdt.CrdtLimits;
import dev.contexture.crdt.Document;
import dev.contexture.crdt.DocumentStep;
import dev.contexture.crdt.DocumentView;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.VersionVector;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentMerge;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.content.ContentRenderer;
import dev.contexture.memory.content.ContentWriter;
import dev.contexture.memory.content.SchemaFit;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.TextSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The committed content of one block with its versions: 0 is empty, each step adds 1. It reaches
 * back to the checkpoint that it was loaded from. Confined to one thread at a time; {@link #fork}
 * makes copies.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DocumentState {
  private final Document document;
  private final NavigableMap<Long, VersionVector> versions;
  private final AtomicReference<@Nullable ItemLengths> lengths; // of any state of the block

  private DocumentState(Document document, NavigableMap<Long, VersionVector> versions) {
    this(document, versions, new AtomicReference<>());
  }

  private DocumentState(
      Document document,
      NavigableMap<Long, VersionVector> versions,
      AtomicReference<@Nullable ItemLengths> lengths) {
    this.document = document;
    this.versions = versions;
    this.lengths = lengths;
  }

  /** A block at version 0. */
  public static DocumentState empty(ReplicaId replica, MemoryLimits limits) {
    Document document = Document.create(replica, crdt(limits));
    return new DocumentState(document, new TreeMap<>(Map.of(0L, document.version())));
  }

  /**
   * A block as a checkpoint has it.
   *
   * @throws ContextureException {@code store_damaged} or {@code unsupported_format} for bytes that
   *     cannot be read
   */
  public static DocumentState load(
      long version, byte[] checkpoint, ReplicaId replica, MemoryLimits limits) {
    Document document =
        MemoryErrors.translating(() -> Document.load(checkpoint, replica, crdt(limits)));
    return new DocumentState(document, new TreeMap<>(Map.of(version, document.version())));
  }

  private static CrdtLimits crdt(MemoryLimits limits) {
    return new CrdtLimits(
        limits.documentBytes(),
        limits.earlyBytes(),
        limits.messageLength(),
        CrdtLimits.DEFAULT.maxNameBytes());
  }

  /**
   * Adds the next stored step.
   *
   * @throws ContextureException {@code store_damaged} if it is not the next one or cannot be read
   */
  public void apply(long version, byte[] delta) {
    applyNext(version, delta);
  }

  /** The same, and what it changed in the document beneath. */
  private List<DocumentStep> applyWatched(long version, byte[] delta) {
    List<DocumentStep> steps = new ArrayList<>();
    Runnable stop = document.listen(event -> steps.addAll(event.changes()));
    try {
      applyNext(version, delta);
    } finally {
      stop.run();
    }
    return steps;
  }

  private void applyNext(long version, byte[] delta) {
    boolean next = version == version() + 1;
    int waiting = next ? MemoryErrors.translating(() -> document.merge(delta)).waiting() : 0;
    if (!next || waiting > 0) {
      throw new ContextureException(
          ErrorCode.STORE_DAMAGED,
          "step " + version + " does not follow version " + version() + "; a step is missing",
          Map.of("id", version, "found", version, "expected", version() + 1),
          null);
    }
    versions.put(version, document.version());
  }

  /** A copy to be edited under another replica id. */
  public DocumentState fork(ReplicaId replica) {
    Document copy = MemoryErrors.translating(() -> document.fork(replica));
    return new DocumentState(copy, new TreeMap<>(versions), lengths);
  }

  /** The newest version. */
  public long version() {
    return versions.lastKey();
  }

  /** The oldest version that is kept: that of the checkpoint. */
  public long oldest() {
    return versions.firstKey();
  }

  /** The content now. */
  public DocumentSnapshot snapshot(BlockSchema schema) {
    JsonValue value = ContentReader.read(ContentReader.Values.of(document), schema);
    return new DocumentSnapshot(version(), schema, value);
  }

  /**
   * The content after a step.
   *
   * @throws ContextureException {@code history_trimmed} below the checkpoint, {@code
   *     invalid_argument} above the newest version
   */
  public DocumentSnapshot at(long version, BlockSchema schema) {
    VersionVector wanted = crdtVersion(version);
    DocumentView view = MemoryErrors.translating(() -> document.at(wanted));
    return new DocumentSnapshot(
        version, schema, ContentReader.read(ContentReader.Values.of(view), schema));
  }

  /**
   * The version of the document beneath.
   *
   * @throws ContextureException as {@link #at}
   */
  VersionVector crdtVersion(long version) {
    if (version < 0 || version > version()) {
      throw MemoryErrors.argument("version", version, "0 to " + version());
    }
    VersionVector found = versions.get(version);
    if (found == null) {
      throw MemoryErrors.trimmed(version, oldest());
    }
    return found;
  }

  Document document() {
    return document;
  }

  NavigableMap<Long, VersionVector> versions() {
    return versions;
  }

  /** Where the lengths of a list's items are kept, for all copies of this state. */
  AtomicReference<@Nullable ItemLengths> lengths() {
    return lengths;
  }

  /** Code points of what {@link DocumentSnapshot#renderWithoutViewport} gives. */
  public long length(BlockSchema schema) {
    return switch (schema) {
      case TextSchema _unused -> document.text(ContentReader.TEXT).length();
      case ListSchema list ->
          ItemLengths.of(list, document.list(ContentReader.ITEMS).values(), lengths).total();
      case MapSchema _unused -> renderedLength(schema);
      case LogSchema _unused -> renderedLength(schema);
      case CompositeSchema _unused -> renderedLength(schema);
    };
  }

  private long renderedLength(BlockSchema schema) {
    String rendered = renderWithoutViewport(schema);
    return rendered.codePointCount(0, rendered.length());
  }

  /** The content as prompts show it; of a log, no more is read than is shown. */
  public String render(BlockSchema schema) {
    return ContentRenderer.render(schema, shown(schema), true);
  }

  /** The content as prompts show it, but all lines of texts. */
  public String renderWithoutViewport(BlockSchema schema) {
    return ContentRenderer.render(schema, shown(schema), false);
  }

  private JsonValue shown(BlockSchema schema) {
    return ContentReader.readShown(ContentReader.Values.of(document), schema);
  }

  /**
   * What a step would make of this state, checked under the settings in force: content that fits
   * the schema, read-only parts and log entries untouched but by the system. This state stays as it
   * is. Limits are not checked: a merge keeps everything.
   *
   * @throws ContextureException {@code history_trimmed} if the step is based below the checkpoint,
   *     {@code read_only}, {@code wrong_schema}
   */
  public Prepared prepare(PendingCommit commit, DocumentSettings settings) {
    if (commit.base() < oldest()) {
      throw MemoryErrors.trimmed(commit.base(), oldest());
    }
    DocumentState next = fork(document.replica());
    List<DocumentStep> steps = next.applyWatched(version() + 1, commit.delta());
    new SchemaFit(settings.schema(), document, settings.limits())
        .check(steps, next.document, ErrorCode.WRONG_SCHEMA);
    ContentDifference difference =
        new ContentDifference(settings.schema(), document, next.document);
    checkProtected(commit, settings, difference);
    return new Prepared(settings.schema(), this, next, difference.names());
  }

  private static void checkProtected(
      PendingCommit commit, DocumentSettings settings, ContentDifference difference) {
    boolean bySystem = false;
    for (Edit edit : commit.edits()) {
      bySystem |= edit.actor().isSystem();
      Protection.check(settings, edit);
    }
    if (!bySystem) {
      DocumentRules.checkProtected(
          settings, commit.edits().getFirst().actor(), difference.touched());
    }
  }

  /**
   * A step that was checked and may be stored. To be read before either state changes.
   *
   * @param schema in force
   * @param base the state without the step
   * @param state the state with the step in it, at the next version
   * @param changed names of sections and fields that differ; the empty name for the whole
   */
  public record Prepared(
      BlockSchema schema, DocumentState base, DocumentState state, Set<String> changed) {
    public Prepared {
      changed = Set.copyOf(changed);
    }

    /** A request for approval of this step, with what it changes. */
    public ConsentRequest shownIn(ConsentRequest request) {
      Preview preview =
          Preview.of(base.renderWithoutViewport(schema), state.renderWithoutViewport(schema));
      return request.showing(preview.text(), preview.omitted(), base.version());
    }

    /** The full rendered text, as search and listings show it. */
    public String preview() {
      return state.renderWithoutViewport(schema);
    }
  }

  /**
   * A step that takes back what another one did: the inverse of that one, merged with everything
   * newer as concurrent edits are.
   *
   * @param step the version that the step made
   * @param operation {@link MemoryOperation#UNDO} or {@link MemoryOperation#REDO}
   * @param replica an id under which nobody else edits this document
   * @return empty if nothing of it is left to take back
   * @throws ContextureException {@code history_trimmed} if the version before it is not kept
   */
  public Optional<PendingCommit> revert(
      long step, MemoryOperation operation, Actor actor, BlockSchema schema, ReplicaId replica) {
    DocumentSnapshot now = snapshot(schema);
    JsonValue target =
        ContentMerge.of(
            schema, at(step, schema).value(), at(step - 1, schema).value(), now.value());
    DocumentState copy = fork(replica);
    new ContentWriter(copy.document).write(schema, "", target);
    if (copy.document.commit().isEmpty()) {
      return Optional.empty();
    }
    byte[] delta = MemoryErrors.translating(() -> copy.document.exportSince(document.version()));
    Edit edit = new Edit(actor, operation, operation.operationClass(), null, null);
    return Optional.of(
        new PendingCommit(new PendingCommit.Source(version(), actor, ""), delta, List.of(edit)));
  }

  /**
   * The bytes from which {@link #load} makes this state as it was at a version: history below it is
   * gone, later steps can be applied on top.
   */
  public byte[] checkpoint(long version) {
    VersionVector wanted = crdtVersion(version);
    return MemoryErrors.translating(
        () -> {
          byte[] trimmed = document.exportState(wanted);
          Document loaded = Document.load(trimmed, document.replica());
          return loaded.forkAt(wanted, document.replica()).exportSnapshot();
        });
  }

  /** Takes in what a newer state of the same block has beyond this one. */
  public void follow(DocumentState newer) {
    byte[] delta = MemoryErrors.translating(() -> newer.document.exportSince(document.version()));
    MemoryErrors.translating(() -> document.merge(delta));
    versions.putAll(newer.versions.tailMap(version(), false));
  }

  /** Forgets what lies below a version, as a checkpoint there does. */
  public void trim(long version) {
    VersionVector wanted = crdtVersion(version);
    MemoryErrors.translating(
        () -> {
          document.trim(wanted);
          return true;
        });
    versions.headMap(version).clear();
  }

  /** The whole state with its history, for its size and for other replicas. */
  public byte[] encoded() {
    return MemoryErrors.translating(document::exportSnapshot);
  }

  /**
   * Checks a schema that is to replace the one of this content.
   *
   * @throws ContextureException {@code schema_kind_change} for another kind, {@code schema_invalid}
   *     if the content violates it, {@code limit_exceeded} if it declares too much
   */
  public void checkSchema(BlockSchema now, BlockSchema wanted, MemoryLimits limits) {
    if (!now.kind().equals(wanted.kind())) {
      throw ContextureException.invalid(
          ErrorCode.SCHEMA_KIND_CHANGE, "schema.kind", wanted.kind(), now.kind());
    }
    limits.check(wanted);
    new SchemaFit(wanted, null, limits).check(document.view(), ErrorCode.SCHEMA_INVALID);
    if (wanted instanceof ListSchema list && list.max() != null) {
      int size = document.list(ContentReader.ITEMS).size();
      if (size > list.max()) {
        throw ContextureException.invalid(
            ErrorCode.SCHEMA_INVALID, "max_items", list.max(), "at least " + size + ", its size");
      }
    }
  }
}

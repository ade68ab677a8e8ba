package dev.contexture.memory;

import dev.contexture.event.Changes.Subscription;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentRenderer;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.OperationClass;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.BaseEdit;
import dev.contexture.memory.textedit.TextEdit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A handle on the content of one memory block. Confined to one thread.
 *
 * <p>Edits show in its own reads at once and become durable and visible to others by {@link
 * #commit}; a handle that is closed or dropped before loses them. Every write passes the gate
 * first; whatever it refuses, for whatever reason, leaves the document as it was. A write that
 * needs approval is accepted here and asked for by {@link #commit}.
 *
 * <p>{@link #section} and {@link #actingAs} are views on the same handle: they share its edits.
 *
 * <pre>{@code
 * StructuredDocument notes = StructuredDocument.of(TextSchema.PLAIN);
 * notes.appendText("buy milk");
 * notes.commit(); // 1
 * }</pre>
 *
 * <p>Operations that take a base refer to the document at that version, without pending edits; the
 * edit is made there and merged with everything newer, so that it removes nothing that its author
 * did not see. An item that others have changed or deleted since is left as they made it, and the
 * {@link BaseEdit} says so.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class StructuredDocument implements AutoCloseable {
  private final Handle handle;
  private final Actor actor;
  private final @Nullable String section;

  private StructuredDocument(Handle handle, Actor actor, @Nullable String section) {
    this.handle = handle;
    this.actor = actor;
    this.section = section;
  }

  /** A detached document: ReadWrite, edited as the agent {@code local}, kept by nobody. */
  public static StructuredDocument of(BlockSchema schema) {
    return new DetachedHost(DocumentSettings.detached(schema)).open(Actor.agent("local"));
  }

  /** A handle on a state that the host gives away; see the package for what a host does. */
  public static StructuredDocument open(DocumentState state, DocumentHost host, Actor actor) {
    return new StructuredDocument(new Handle(state, host), actor, null);
  }

  /** The same handle, edited as another actor. */
  public StructuredDocument actingAs(Actor other) {
    return new StructuredDocument(handle, other, section);
  }

  /**
   * One section of a Composite with every operation of its schema. A name that does not exist is
   * refused by the operations, after the gate.
   */
  public StructuredDocument section(String name) {
    return new StructuredDocument(handle, actor, name);
  }

  public Actor actor() {
    return actor;
  }

  /** The schema of the document, or of the section. */
  public BlockSchema schema() {
    return reading().schema();
  }

  /** The version that this handle knows: that of its last commit or refresh. */
  public long version() {
    return handle.version();
  }

  public boolean hasUncommittedEdits() {
    return handle.hasEdits();
  }

  // Reading.

  /** The content as prompts show it. */
  public String render() {
    DocumentPart part = reading();
    return ContentRenderer.render(part.schema(), part.value(), true);
  }

  /** The content as one value, without loss; unset fields are left out. */
  public JsonValue exportJson() {
    return reading().value();
  }

  /** What is there now, for whoever compares or keeps it. */
  public DocumentSnapshot snapshot() {
    DocumentPart part = reading();
    return new DocumentSnapshot(handle.version(), part.schema(), part.value());
  }

  /** The text of a Text. */
  public String text() {
    return ((JsonString) reading().requireText("text").value()).value();
  }

  /** What a field is set to, else its default. */
  public Optional<JsonValue> getField(String field) {
    return reading().fields("getField").get(field);
  }

  /** The items of a List field. */
  public List<JsonValue> getListField(String field) {
    return reading().fields("getListField").list(field);
  }

  /** The items of a List. */
  public List<JsonValue> listItems() {
    return ((JsonArray) reading().requireList("listItems").value()).items();
  }

  /** The newest entries of a Log, newest first, as many as its display limit. */
  public List<JsonValue> logEntries() {
    return reading().log("logEntries").newest(null);
  }

  /** The newest entries of a Log, newest first. */
  public List<JsonValue> logEntries(int limit) {
    return reading().log("logEntries").newest(limit);
  }

  /** What the document lacks or has too much of; empty if all is well. */
  public List<DocumentProblem> validate() {
    DocumentPart whole = new DocumentPart(handle, actor, null);
    return DocumentRules.problems(whole.settings(), whole.value());
  }

  // Text.

  /** Makes this the text; only what differs is replaced, so that edits elsewhere survive. */
  public void setText(String text) {
    writing(MemoryOperation.SET_TEXT).textPart().set(text);
  }

  /** As {@link #setText(String)}, but for what the author saw at a version. */
  public void setText(String text, long base) {
    writing(MemoryOperation.SET_TEXT).textPart().setAt(text, base);
  }

  /** Adds exactly this text. */
  public void appendText(String text) {
    writing(MemoryOperation.APPEND_TEXT).textPart().append(text);
  }

  /**
   * Replaces the first occurrence; false if there is none, it is empty, or nothing would change.
   */
  public boolean replaceText(String find, String replacement) {
    return writing(MemoryOperation.REPLACE_TEXT).textPart().replace(find, replacement);
  }

  /**
   * Makes an edit that looks for its places itself: a replacement, a patch, a range of lines.
   *
   * @return how many places it changed
   */
  public int editText(TextEdit edit) {
    return writing(MemoryOperation.EDIT_TEXT).textPart().edit(edit);
  }

  /** Replaces a range of code points. */
  public void splice(int at, int delete, String insert) {
    writing(MemoryOperation.SPLICE).textPart().splice(at, delete, insert);
  }

  /** As {@link #splice(int, int, String)}, at the positions of a version. */
  public void splice(int at, int delete, String insert, long base) {
    writing(MemoryOperation.SPLICE).textPart().spliceAt(at, delete, insert, base);
  }

  /**
   * Adds content as the kind demands: to a Text as it is; to a List as JSON if it is some, else as
   * a string; to a Log as an entry, or as the text of one. Nothing for empty content.
   */
  public void append(String content) {
    DocumentPart part = writing(MemoryOperation.APPEND);
    switch (part.schema()) {
      case TextSchema _unused -> part.textPart().append(content);
      case ListSchema _unused -> part.listPart().append(content);
      case LogSchema _unused -> part.log("append").append(content);
      case MapSchema _unused -> throw part.wrongSchema("Text, List or Log");
      case CompositeSchema _unused -> throw part.wrongSchema("Text, List or Log");
    }
  }

  // Map.

  /** Sets a field; a counter by the difference, a list by its changed items. */
  public void setField(String field, JsonValue value) {
    writing(MemoryOperation.SET_FIELD, field).fields("setField").set(field, value);
  }

  /** Sets a Text field. */
  public void setTextField(String field, String text) {
    writing(MemoryOperation.SET_TEXT_FIELD, field).fields("setTextField").setText(field, text);
  }

  /** Makes a field unset; nothing if it is. */
  public void removeField(String field) {
    writing(MemoryOperation.REMOVE_FIELD, field).fields("removeField").remove(field);
  }

  public void appendToListField(String field, JsonValue value) {
    writing(MemoryOperation.APPEND_TO_LIST_FIELD, field)
        .fields("appendToListField")
        .appendToList(field, value);
  }

  public void removeFromListField(String field, int index) {
    writing(MemoryOperation.REMOVE_FROM_LIST_FIELD, field)
        .fields("removeFromListField")
        .removeFromList(field, index, null);
  }

  /** As {@link #removeFromListField(String, int)}, at the index of a version. */
  public BaseEdit removeFromListField(String field, int index, long base) {
    return writing(MemoryOperation.REMOVE_FROM_LIST_FIELD, field)
        .fields("removeFromListField")
        .removeFromList(field, index, base);
  }

  /** Moves a counter and returns its new value. */
  public long incrementCounter(String field, long delta) {
    return writing(MemoryOperation.INCREMENT_COUNTER, field)
        .fields("incrementCounter")
        .increment(field, delta);
  }

  // List.

  public void pushItem(JsonValue item) {
    writing(MemoryOperation.PUSH_ITEM).listPart().push(item);
  }

  /** Inserts an item; at the end, and without base, it counts as appending. */
  public void insertItem(int index, JsonValue item) {
    OperationClass operation =
        index == DocumentPart.listLength(handle, section)
            ? OperationClass.APPEND
            : OperationClass.OVERWRITE;
    writing(MemoryOperation.INSERT_ITEM, operation, null).listPart().insert(index, item);
  }

  /** As {@link #insertItem(int, JsonValue)}, at the index of a version; never appending. */
  public void insertItem(int index, JsonValue item, long base) {
    writing(MemoryOperation.INSERT_ITEM).listPart().insertAt(index, item, base);
  }

  public void setItem(int index, JsonValue item) {
    writing(MemoryOperation.SET_ITEM).listPart().set(index, item);
  }

  /** As {@link #setItem(int, JsonValue)}, at the index of a version. */
  public BaseEdit setItem(int index, JsonValue item, long base) {
    return writing(MemoryOperation.SET_ITEM).listPart().setAt(index, item, base);
  }

  public void deleteItem(int index) {
    writing(MemoryOperation.DELETE_ITEM).listPart().delete(index);
  }

  /** As {@link #deleteItem(int)}, at the index of a version. */
  public BaseEdit deleteItem(int index, long base) {
    return writing(MemoryOperation.DELETE_ITEM).listPart().deleteAt(index, base);
  }

  // Log.

  /** Adds an entry; time and author are filled in where the schema has them. */
  public void appendLogEntry(JsonValue entry) {
    writing(MemoryOperation.APPEND_LOG_ENTRY).log("appendLogEntry").add(entry);
  }

  // Composite.

  /** {@link #setText(String)} of a section. */
  public void setTextInSection(String text, String name) {
    section(name).writing(MemoryOperation.SET_TEXT_IN_SECTION).textPart().set(text);
  }

  /** {@link #setField} of a section. */
  public void setFieldInSection(String field, JsonValue value, String name) {
    section(name)
        .writing(MemoryOperation.SET_FIELD_IN_SECTION, field)
        .fields("setFieldInSection")
        .set(field, value);
  }

  // Everything.

  /** Replaces the content by a value of the form of {@link #exportJson}. */
  public void importJson(JsonValue value) {
    writing(MemoryOperation.IMPORT_JSON).importJson(value);
  }

  /**
   * Merges what {@link #exportUpdates} of another replica gave. Merged content may exceed a limit:
   * {@link #validate} then says so.
   */
  public void applyUpdates(byte[] updates) {
    writing(MemoryOperation.APPLY_UPDATES).applyUpdates(updates);
  }

  /** Everything here, pending edits included, for {@link #applyUpdates} of another replica. */
  public byte[] exportUpdates() {
    return handle.export();
  }

  /** {@link #commit(String)} without a message. */
  public long commit() {
    return commit("");
  }

  /**
   * Publishes the pending edits as one step and shows what others published before it.
   *
   * @return the version now; without edits nothing happens
   * @throws dev.contexture.error.ContextureException as the gate and the host say; the edits stay
   */
  public long commit(String message) {
    new DocumentPart(handle, actor, null).commit(message);
    return handle.version();
  }

  /**
   * Shows what others have published. Pending edits stay, unless history below them is gone: then
   * they are dropped and have to be redone.
   */
  public void refresh() {
    handle.refresh();
  }

  /** Hears of every commit that changes the document, from now on. */
  public Subscription subscribeRoot(Consumer<DocumentChange> listener) {
    return handle.host.subscriptions().root(listener);
  }

  /**
   * Hears of every commit that changes a section, a field, or {@code section/field}.
   *
   * @throws dev.contexture.error.ContextureException {@code field_not_found} if there is none
   */
  public Subscription subscribe(String name, Consumer<DocumentChange> listener) {
    String path = section == null ? name : section + "/" + name;
    DocumentPart.checkPath(handle.host.settings().schema(), path);
    return handle.host.subscriptions().part(path, listener);
  }

  /** Whether the handle was closed. */
  public boolean isClosed() {
    return handle.isClosed();
  }

  /** Drops pending edits; the handle cannot be used any more. */
  @Override
  public void close() {
    handle.close();
  }

  private DocumentPart reading() {
    return new DocumentPart(handle, actor, section);
  }

  private DocumentPart writing(MemoryOperation operation) {
    return writing(operation, operation.operationClass(), null);
  }

  private DocumentPart writing(MemoryOperation operation, String field) {
    return writing(operation, operation.operationClass(), field);
  }

  private DocumentPart writing(
      MemoryOperation operation, OperationClass operationClass, @Nullable String field) {
    Edit edit = new Edit(actor, operation, operationClass, section, field);
    return DocumentPart.forWriting(handle, edit);
  }
}

package dev.contexture.memory;

import dev.contexture.crdt.Document;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.content.ContentWriter;
import dev.contexture.memory.content.SchemaFit;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.Decision;
import dev.contexture.memory.permission.PermissionGate;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.schema.ValueRules;
import dev.contexture.memory.textedit.BaseEdit;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The document or one section during one operation: its rules, its content, and the only way to
 * change it. Made for an operation and dropped after it.
 */
final class DocumentPart {
  private final Handle handle;
  private final Actor actor;
  private final @Nullable String section;
  private final DocumentSettings settings;
  private final BlockSchema schema;
  private final @Nullable Edit edit;

  /** For reading, which the gate allows to everyone. */
  DocumentPart(Handle handle, Actor actor, @Nullable String section) {
    this.handle = handle;
    this.actor = actor;
    this.section = section;
    this.settings = handle.host.settings();
    this.edit = null;
    this.schema = section == null ? settings.schema() : sectionSchema(settings.schema(), section);
  }

  private DocumentPart(Handle handle, DocumentSettings settings, Edit edit) {
    this.handle = handle;
    this.actor = edit.actor();
    this.section = edit.section();
    this.settings = settings;
    this.edit = edit;
    this.schema = section == null ? settings.schema() : sectionSchema(settings.schema(), section);
  }

  /** Checks, in this order: the gate, the section, whether it is read-only. */
  static DocumentPart forWriting(Handle handle, Edit edit) {
    DocumentSettings settings = handle.host.settings();
    Decision decision =
        PermissionGate.decide(
            edit.actor(), edit.operationClass(), settings.permission(), settings.partnerId());
    if (decision instanceof Decision.Denied denied) {
      throw MemoryErrors.denied(settings, edit.operation().operationName(), edit.actor(), denied);
    }
    DocumentPart part = new DocumentPart(handle, settings, edit);
    Protection.check(
        settings,
        new Edit(edit.actor(), edit.operation(), edit.operationClass(), edit.section(), null));
    handle.attempt(edit);
    return part;
  }

  private static BlockSchema sectionSchema(BlockSchema whole, String section) {
    if (!(whole instanceof CompositeSchema composite)) {
      throw MemoryErrors.wrongSchema("section", whole.kind(), "Composite");
    }
    return composite
        .section(section)
        .map(SectionDef::schema)
        .orElseThrow(() -> ValueRules.notFound(section, DocumentRules.sectionNames(composite)));
  }

  DocumentSettings settings() {
    return settings;
  }

  BlockSchema schema() {
    return schema;
  }

  Actor actor() {
    return actor;
  }

  Handle handle() {
    return handle;
  }

  Edit edit() {
    return Objects.requireNonNull(edit);
  }

  String prefix() {
    return ContentReader.prefix(section);
  }

  Document document() {
    return handle.document();
  }

  ValueRules rules() {
    return new ValueRules(settings.limits());
  }

  JsonValue value() {
    return read(document());
  }

  private JsonValue read(Document document) {
    return ContentReader.read(ContentReader.Values.of(document), schema, prefix());
  }

  ContextureException wrongSchema(String allowed) {
    String operation = edit == null ? "reading" : edit.operation().operationName();
    return MemoryErrors.wrongSchema(operation, schema.kind(), allowed);
  }

  TextPart textPart() {
    if (schema instanceof TextSchema) {
      return new TextPart(this);
    }
    throw wrongSchema("Text");
  }

  ListPart listPart() {
    if (schema instanceof ListSchema list) {
      return new ListPart(this, list);
    }
    throw wrongSchema("List");
  }

  FieldsPart fields(String operation) {
    if (schema instanceof MapSchema map) {
      return new FieldsPart(this, map);
    }
    throw MemoryErrors.wrongSchema(operation, schema.kind(), "Map");
  }

  LogPart log(String operation) {
    if (schema instanceof LogSchema log) {
      return new LogPart(this, log);
    }
    throw MemoryErrors.wrongSchema(operation, schema.kind(), "Log");
  }

  DocumentPart requireText(String operation) {
    if (schema instanceof TextSchema) {
      return this;
    }
    throw MemoryErrors.wrongSchema(operation, schema.kind(), "Text");
  }

  DocumentPart requireList(String operation) {
    if (schema instanceof ListSchema) {
      return this;
    }
    throw MemoryErrors.wrongSchema(operation, schema.kind(), "List");
  }

  /** The length of the list that an index refers to; -1 if there is no list. */
  static int listLength(Handle handle, @Nullable String section) {
    BlockSchema schema = handle.host.settings().schema();
    BlockSchema part =
        section == null
            ? schema
            : schema instanceof CompositeSchema composite
                ? composite.section(section).map(SectionDef::schema).orElse(schema)
                : schema;
    return part instanceof ListSchema
        ? handle.document().list(ContentReader.prefix(section) + ContentReader.ITEMS).size()
        : -1;
  }

  /** Changes the part to what has been checked but for its growth. */
  void change(JsonValue before, JsonValue after, Consumer<Document> change) {
    checkGrowth(before, after);
    apply(change);
  }

  /**
   * Changes a text that may grow.
   *
   * @param added code points that come, less those that go
   */
  void changeText(long added, Supplier<String> target, Consumer<Document> change) {
    String name = prefix() + ContentReader.TEXT;
    if (section == null) {
      int length = document().text(name).length();
      DocumentRules.checkTextGrowth(settings, length, length + added);
      apply(change);
    } else {
      JsonString before = new JsonString(document().text(name).toString());
      change(before, new JsonString(target.get()), change);
    }
  }

  /** Changes a list of which only its growth is to be checked. */
  void changeItems(
      ListSchema list, List<String> before, List<String> after, Consumer<Document> change) {
    if (section == null) {
      ItemLengths was = handle.lengths(list, before);
      DocumentRules.checkListGrowth(settings, list, was, handle.lengths(list, after));
      apply(change);
    } else {
      change(ContentReader.array(before), ContentReader.array(after), change);
    }
  }

  /** Makes a change that has been checked. */
  void apply(Consumer<Document> change) {
    handle.edit(edit(), change);
  }

  private void checkGrowth(JsonValue before, JsonValue after) {
    if (section == null) {
      DocumentRules.checkGrowth(settings, before, after);
      return;
    }
    JsonObject whole = wholeWithoutLogs(document());
    DocumentRules.checkGrowth(settings, whole.with(section, before), whole.with(section, after));
  }

  /** Logs of other sections count for themselves and need not be read. */
  private JsonObject wholeWithoutLogs(Document document) {
    JsonObject.Builder out = JsonObject.builder();
    for (SectionDef other : ((CompositeSchema) settings.schema()).sections()) {
      boolean skipped = other.schema() instanceof LogSchema;
      out.put(
          other.name(),
          skipped
              ? JsonArray.of()
              : ContentReader.read(
                  ContentReader.Values.of(document),
                  other.schema(),
                  ContentReader.prefix(other.name())));
    }
    return out.build();
  }

  /** Makes a change at a base; its merged result must keep the limits. */
  BaseEdit changeAt(long base, Handle.BaseChange change) {
    return handle.editAt(
        base,
        edit(),
        change,
        (before, after) -> {
          checkProtected(before, after);
          DocumentRules.checkGrowth(settings, whole(before), whole(after));
        });
  }

  private void checkProtected(Document before, Document after) {
    if (!actor.isSystem()) {
      String touched = new ContentDifference(settings.schema(), before, after).touched();
      DocumentRules.checkProtected(settings, actor, touched);
    }
  }

  private JsonValue whole(Document document) {
    return ContentReader.read(ContentReader.Values.of(document), settings.schema());
  }

  void importJson(JsonValue given) {
    JsonValue before = value();
    JsonValue after =
        new ImportRules(settings, actor, handle.host.now()).part(schema, before, given);
    checkProtected(before, after);
    change(before, after, document -> new ContentWriter(document).write(schema, prefix(), after));
  }

  /** Refuses changes of read-only parts inside this one. */
  void checkProtected(JsonValue before, JsonValue after) {
    DocumentRules.checkProtected(settings.withSchema(schema), actor, before, after);
  }

  void applyUpdates(byte[] updates) {
    if (section != null) {
      throw MemoryErrors.wrongSchema("applyUpdates", "section", "the whole document");
    }
    handle.merge(
        updates,
        edit(),
        (before, steps, after) -> {
          new SchemaFit(settings.schema(), before, settings.limits())
              .check(steps, after, ErrorCode.WRONG_SCHEMA);
          checkProtected(before, after);
        });
  }

  void commit(String message) {
    settings.limits().checkMessage(message);
    if (!handle.hasEdits() && !mustAsk()) {
      return;
    }
    handle
        .pending(actor, SendableText.of(message))
        .ifPresent(commit -> handle.published(handle.host.publish(commit)));
  }

  /** Whether the gate asks for what changed nothing. */
  private boolean mustAsk() {
    return handle.attempts().stream()
        .anyMatch(
            tried ->
                PermissionGate.decide(
                        tried.actor(),
                        tried.operationClass(),
                        settings.permission(),
                        settings.partnerId())
                    instanceof Decision.Ask);
  }

  /** Refuses a name that is neither a section nor a field, nor {@code section/field}. */
  static void checkPath(BlockSchema schema, String path) {
    int slash = path.indexOf('/');
    String first = slash < 0 ? path : path.substring(0, slash);
    switch (schema) {
      case CompositeSchema _unused -> {
        BlockSchema inner = sectionSchema(schema, first);
        if (slash >= 0) {
          checkPath(inner, path.substring(slash + 1));
        }
      }
      case MapSchema map -> ValueRules.field(map, path);
      case TextSchema _unused -> throw ValueRules.notFound(path, "no name: the kind has no parts");
      case ListSchema _unused -> throw ValueRules.notFound(path, "no name: the kind has no parts");
      case LogSchema _unused -> throw ValueRules.notFound(path, "no name: the kind has no parts");
    }
  }
}

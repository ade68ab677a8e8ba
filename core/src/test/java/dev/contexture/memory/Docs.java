package dev.contexture.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.time.Instant;
import java.time.InstantSource;

/** What the tests of this package share. */
final class Docs {
  static final Instant NOW = Instant.parse("2025-01-01T00:00:00.5Z");
  static final Actor AGENT = Actor.agent("entropy");
  static final Actor HUMAN = Actor.human("ann");

  private Docs() {}

  static JsonValue json(String text) {
    return JsonValue.parse(text.replace('\'', '"'));
  }

  static DocumentSettings settings(BlockSchema schema) {
    return new DocumentSettings(
        "entropy",
        "notes",
        schema,
        5_000,
        MemoryPermission.READ_WRITE,
        "ann",
        MemoryLimits.DEFAULT);
  }

  static DetachedHost host(BlockSchema schema) {
    return host(settings(schema));
  }

  static DetachedHost host(DocumentSettings settings) {
    return new DetachedHost(settings, InstantSource.fixed(NOW), ConsentBroker.DENY);
  }

  static StructuredDocument doc(BlockSchema schema) {
    return host(schema).open(AGENT);
  }

  static ContextureException refused(Runnable call, ErrorCode code) {
    ContextureException thrown = catchThrowableOfType(ContextureException.class, call::run);
    assertThat(thrown).as("refused as " + code).isNotNull();
    assertThat(thrown.code()).as(thrown.getMessage()).isEqualTo(code);
    return thrown;
  }

  /** Refused, and content and pending edits are as before. */
  static ContextureException refusedUnchanged(
      StructuredDocument document, Runnable call, ErrorCode code) {
    String before = document.exportJson().toJson();
    boolean edits = document.hasUncommittedEdits();
    ContextureException thrown = refused(call, code);
    assertThat(document.exportJson().toJson()).isEqualTo(before);
    assertThat(document.hasUncommittedEdits()).isEqualTo(edits);
    return thrown;
  }

  static final MapSchema PROFILE =
      MapSchema.of(
          FieldDef.of("name", FieldType.TEXT),
          FieldDef.of("status", FieldType.TEXT).asReadOnly(),
          FieldDef.of("tags", FieldType.LIST),
          FieldDef.of("score", FieldType.COUNTER),
          FieldDef.of("energy", FieldType.NUMBER).withDefault(JsonValue.of(5)),
          FieldDef.of("bio", FieldType.TEXT),
          FieldDef.of("last_seen", FieldType.TIMESTAMP));

  static final LogSchema EVENTS =
      new LogSchema(
          3,
          new LogSchema.EntrySchema(
              true, true, java.util.List.of(FieldDef.of("message", FieldType.TEXT))));

  static final CompositeSchema REPORT =
      CompositeSchema.of(
          SectionDef.of("notes", TextSchema.PLAIN),
          SectionDef.of("stats", MapSchema.of(FieldDef.of("count", FieldType.NUMBER))),
          SectionDef.of("diagnostics", TextSchema.PLAIN).asReadOnly());
}

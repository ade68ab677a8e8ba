package dev.contexture.memory;

import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conformance items 1, 2, 33. */
class SchemaTest {
  private static final FieldDef EVERYTHING =
      new FieldDef("n", FieldType.NUMBER, "a number", true, json("1.10"), true);
  private static final MapSchema TASK =
      MapSchema.of(
          FieldDef.of("title", FieldType.TEXT).asRequired(),
          FieldDef.of("done", FieldType.BOOLEAN).withDefault(JsonValue.of(false)));
  private static final LogSchema LOG =
      new LogSchema(20, new LogSchema.EntrySchema(true, false, List.of(EVERYTHING)));

  private static final List<BlockSchema> ALL =
      List.of(
          new TextSchema(null),
          new TextSchema(new TextSchema.Viewport(2, 3)),
          MapSchema.of(),
          MapSchema.of(
              EVERYTHING,
              FieldDef.of("t", FieldType.TEXT),
              FieldDef.of("b", FieldType.BOOLEAN),
              FieldDef.of("l", FieldType.LIST).withDefault(json("[{'z':1,'a':null}]")),
              FieldDef.of("at", FieldType.TIMESTAMP),
              FieldDef.of("c", FieldType.COUNTER).withDefault(JsonValue.of(5))),
          ListSchema.ofAnything(),
          new ListSchema(new ListSchema(TASK, 3), 50),
          LOG,
          new CompositeSchema(
              List.of(
                  new SectionDef("notes", new TextSchema(null), "free text", false),
                  new SectionDef("tasks", new ListSchema(TASK, null), "", true),
                  SectionDef.of("log", LOG))));

  @Test
  void survivesJson() {
    for (BlockSchema schema : ALL) {
      assertThat(BlockSchema.fromJson(JsonValue.parse(schema.toJson().toJson()))).isEqualTo(schema);
      assertThat(BlockSchema.stored(schema.toJson().toJson())).isEqualTo(schema);
    }
    assertThat(ALL.stream().map(BlockSchema::kind).distinct())
        .containsExactly("text", "map", "list", "log", "composite");
    assertThat(ALL.get(3).toJson().toJson())
        .contains("\"default\":1.10", "\"type\":\"counter\"", "\"read_only\":true");
  }

  @Test
  void absentIsTextAndUnreadableIsCorrupt() {
    assertThat(BlockSchema.stored(null)).isEqualTo(new TextSchema(null));
    refused(() -> BlockSchema.stored("{\"kind\":\"tree\"}"), ErrorCode.STORE_DAMAGED);
    refused(() -> BlockSchema.stored("{"), ErrorCode.STORE_DAMAGED);
    refused(() -> BlockSchema.stored(""), ErrorCode.STORE_DAMAGED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'map','fields':[{'name':'a','type':'text'},{'name':'a','type':'text'}]}",
        "{'kind':'map','fields':[{'name':'a b','type':'text'}]}",
        "{'kind':'map','fields':[{'name':'a','type':'text','default':1}]}",
        "{'kind':'map','fields':[{'name':'a','type':'Text'}]}",
        "{'kind':'map','fields':[{'name':'a','type':'text','extra':1}]}",
        "{'kind':'map','fields':[{'type':'text'}]}",
        "{'kind':'text','viewport':{'start_line':0,'display_lines':2}}",
        "{'kind':'text','viewport':{'start_line':1,'display_lines':0}}",
        "{'kind':'text','viewport':{'start_line':1}}",
        "{'kind':'log','display_limit':0}",
        "{'kind':'log'}",
        "{'kind':'log','display_limit':1,'entry_schema':{'timestamp':true,'fields':[{'name':'timestamp','type':'text'}]}}",
        "{'kind':'list','max_items':0}",
        "{'kind':'list','max_items':1.5}",
        "{'kind':'list','item_schema':{'kind':'log','display_limit':1}}",
        "{'kind':'list','item_schema':{'kind':'composite','sections':[]}}",
        "{'kind':'composite','sections':[{'name':'s','schema':{'kind':'composite','sections':[]}}]}",
        "{'kind':'composite','sections':[{'name':'s','schema':{'kind':'text'}},{'name':'s','schema':{'kind':'text'}}]}",
        "{'kind':'composite','sections':[{'name':'s'}]}",
        "{'kind':'tree'}",
        "{}",
        "[]"
      })
  void refusesEachDefect(String schema) {
    refused(() -> BlockSchema.fromJson(json(schema)), ErrorCode.SCHEMA_INVALID);
  }

  @Test
  void refusesTypeLogWithoutLogSchema() {
    refused(() -> MemoryBlockType.LOG.check(TextSchema.PLAIN), ErrorCode.SCHEMA_INVALID);
    MemoryBlockType.LOG.check(LOG);
    MemoryBlockType.WORKING.check(LOG);
  }

  @Test
  void boundsFieldsAndSections() {
    List<FieldDef> fields =
        IntStream.range(0, 257).mapToObj(i -> FieldDef.of("f" + i, FieldType.TEXT)).toList();
    List<SectionDef> sections =
        IntStream.range(0, 65).mapToObj(i -> SectionDef.of("s" + i, TextSchema.PLAIN)).toList();
    MemoryLimits.DEFAULT.check(new MapSchema(fields.subList(0, 256)));
    refused(() -> StructuredDocument.of(new MapSchema(fields)), ErrorCode.LIMIT_EXCEEDED);
    refused(() -> StructuredDocument.of(new CompositeSchema(sections)), ErrorCode.LIMIT_EXCEEDED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'kind':'text'} | Text",
        "{'kind':'text','viewport':{'start_line':2,'display_lines':2}} | Text(lines 2-3)",
        "{'kind':'map'} | Map",
        "{'kind':'map','fields':[{'name':'name','type':'text','required':true},{'name':'energy','type':'counter','default':5}]}"
            + " | Map(name: Text required, energy: Counter default 5)",
        "{'kind':'map','fields':[{'name':'s','type':'text','default':'x','required':true,'read_only':true}]}"
            + " | Map(s: Text required default x read-only)",
        "{'kind':'list'} | List",
        "{'kind':'list','max_items':50,'item_schema':{'kind':'map','fields':[{'name':'title','type':'text','required':true},{'name':'done','type':'boolean','default':false}]}}"
            + " | List(max 50, item Map(title: Text required, done: Boolean default false))",
        "{'kind':'log','display_limit':20,'entry_schema':{'timestamp':true,'agent_id':true,'fields':[{'name':'message','type':'text'}]}}"
            + " | Log(show 20, timestamp, agent_id, message: Text)",
        "{'kind':'composite','sections':[{'name':'notes','schema':{'kind':'text'}},{'name':'diagnostics','schema':{'kind':'text'},'read_only':true}]}"
            + " | Composite(notes: Text, diagnostics: Text read-only)"
      })
  void hasALine(String schema, String line) {
    assertThat(BlockSchema.fromJson(JsonValue.parse(schema.replace('\'', '"'))).line())
        .isEqualTo(line);
  }
}

package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.HUMAN;
import static dev.contexture.memory.Docs.doc;
import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refusedUnchanged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.TextSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conformance items 3 to 8 and 11 to 16. */
class DocumentTest {
  private static final Map<FieldType, List<String>> GOOD =
      Map.of(
          FieldType.TEXT, List.of("''", "'x'"),
          FieldType.NUMBER, List.of("1", "1.10", "-1e3"),
          FieldType.BOOLEAN, List.of("true", "false"),
          FieldType.LIST, List.of("[]", "[1,'a',null]"),
          FieldType.TIMESTAMP, List.of("'2025-01-01T00:00:00Z'", "'2025-01-01T02:00:00.5+02:00'"),
          FieldType.COUNTER, List.of("0", "-9223372036854775808", "9223372036854775807"));
  private static final Map<FieldType, List<String>> BAD =
      Map.of(
          FieldType.TEXT, List.of("1", "null", "[]", "{}"),
          FieldType.NUMBER, List.of("'1'", "null", "true"),
          FieldType.BOOLEAN, List.of("0", "'true'", "null"),
          FieldType.LIST, List.of("{}", "'[]'", "null"),
          FieldType.TIMESTAMP, List.of("'2025-01-01'", "'2025-01-01T00:00:00'", "1", "null", "''"),
          FieldType.COUNTER, List.of("1.5", "9223372036854775808", "'1'", "null"));

  @ParameterizedTest
  @EnumSource(FieldType.class)
  void fieldsTakeTheirTypeOnly(FieldType type) { // 3
    StructuredDocument document = doc(MapSchema.of(FieldDef.of("f", type)));
    for (String good : GOOD.getOrDefault(type, List.of())) {
      document.setField("f", json(good));
      assertThat(document.getField("f").orElseThrow().toJson()).isEqualTo(json(good).toJson());
    }
    for (String bad : BAD.getOrDefault(type, List.of())) {
      ContextureException refused =
          refusedUnchanged(document, () -> document.setField("f", json(bad)), ErrorCode.FIELD_TYPE);
      assertThat(refused.details()).containsKeys("field", "actual", "allowed");
      assertThat(refused.field()).contains("f");
    }
  }

  @Test
  void onlyDeclaredFieldsExist() { // 4
    StructuredDocument document = doc(Docs.PROFILE);
    ContextureException refused =
        refusedUnchanged(
            document, () -> document.setField("nick", json("'x'")), ErrorCode.FIELD_NOT_FOUND);
    assertThat(refused).hasMessageContaining("name, status, tags");
    refusedUnchanged(document, () -> document.getField("nick"), ErrorCode.FIELD_NOT_FOUND);
    StructuredDocument free = doc(MapSchema.of());
    free.setField("z", json("1"));
    free.setField("a", json("2"));
    assertThat(free.exportJson().toJson()).isEqualTo("{\"z\":1,\"a\":2}");
    free.removeField("z");
    free.setField("z", json("3"));
    assertThat(free.render()).isEqualTo("a: 2\nz: 3");
    refusedUnchanged(free, () -> free.setField("a b", json("1")), ErrorCode.INVALID_LABEL);
    refusedUnchanged(free, () -> free.incrementCounter("a", 1), ErrorCode.FIELD_TYPE);
    assertThat(free.getField("none")).isEmpty();
  }

  @Test
  void requiredFieldsStay() { // 5
    MapSchema schema =
        MapSchema.of(
            FieldDef.of("title", FieldType.TEXT).asRequired(),
            FieldDef.of("n", FieldType.NUMBER).asRequired().withDefault(json("1")));
    StructuredDocument map = doc(schema);
    assertThat(map.validate())
        .extracting(DocumentProblem::code, DocumentProblem::part)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(ErrorCode.FIELD_REQUIRED, "title"));
    map.setTextField("title", "x");
    assertThat(map.validate()).isEmpty();
    refusedUnchanged(map, () -> map.removeField("title"), ErrorCode.FIELD_REQUIRED);
    refusedUnchanged(map, () -> map.setField("title", json("null")), ErrorCode.FIELD_REQUIRED);
    refusedUnchanged(map, () -> map.importJson(json("{'n':2}")), ErrorCode.FIELD_REQUIRED);
    map.importJson(json("{'title':'y'}"));
    assertThat(map.render()).isEqualTo("title: y\nn: 1");

    StructuredDocument list = doc(new ListSchema(schema, null));
    refusedUnchanged(list, () -> list.pushItem(json("{'n':2}")), ErrorCode.FIELD_REQUIRED);
    refusedUnchanged(list, () -> list.importJson(json("[{}]")), ErrorCode.FIELD_REQUIRED);
    list.pushItem(json("{'title':'a'}"));
    assertThat(list.exportJson().toJson()).isEqualTo("[{\"title\":\"a\",\"n\":1}]");

    StructuredDocument log =
        doc(new LogSchema(9, new LogSchema.EntrySchema(false, false, schema.fields())));
    refusedUnchanged(log, () -> log.appendLogEntry(json("{}")), ErrorCode.FIELD_REQUIRED);
    log.append("hello");
    assertThat(log.exportJson().toJson()).isEqualTo("[{\"title\":\"hello\",\"n\":1}]");
  }

  @Nested
  class Counters { // 6
    private final MapSchema schema =
        MapSchema.of(
            FieldDef.of("c", FieldType.COUNTER),
            FieldDef.of("five", FieldType.COUNTER).withDefault(json("5")));

    @Test
    void startAtTheirDefaultAndAddUp() {
      StructuredDocument document = doc(schema);
      assertThat(document.getField("five")).contains(JsonValue.of(5));
      assertThat(document.incrementCounter("c", 5)).isEqualTo(5);
      assertThat(document.incrementCounter("c", -2)).isEqualTo(3);
      document.setField("five", json("7"));
      assertThat(document.incrementCounter("five", 1)).isEqualTo(8);
      document.removeField("five");
      assertThat(document.render()).isEqualTo("c: 3\nfive: 5");
    }

    @Test
    void mergeBothIncrements() {
      DetachedHost host = Docs.host(schema);
      StructuredDocument one = host.open(AGENT);
      StructuredDocument two = host.open(Actor.agent("other"));
      one.incrementCounter("c", 5);
      two.setField("c", json("7"));
      one.commit();
      two.commit();
      one.refresh();
      assertThat(one.getField("c")).contains(JsonValue.of(12));
      assertThat(two.getField("c")).contains(JsonValue.of(12));
    }

    @Test
    void stayWithin64Bits() {
      StructuredDocument document = doc(schema);
      document.setField("c", JsonValue.of(Long.MAX_VALUE));
      refusedUnchanged(document, () -> document.incrementCounter("c", 1), ErrorCode.LIMIT_EXCEEDED);
      document.setField("c", JsonValue.of(Long.MIN_VALUE));
      assertThat(document.getField("c")).contains(JsonValue.of(Long.MIN_VALUE));
    }
  }

  @Test
  void listsHaveTheirSizeAndItemType() { // 7
    StructuredDocument list = doc(new ListSchema(new TextSchema(null), 50));
    for (int i = 0; i < 50; i++) {
      list.pushItem(new JsonString("i"));
    }
    ContextureException refused =
        refusedUnchanged(list, () -> list.pushItem(new JsonString("i")), ErrorCode.LIMIT_EXCEEDED);
    assertThat(refused.details()).containsEntry("limit", 50L).containsEntry("actual", 51L);
    refusedUnchanged(list, () -> list.insertItem(0, new JsonString("i")), ErrorCode.LIMIT_EXCEEDED);
    refusedUnchanged(list, () -> list.setItem(0, json("1")), ErrorCode.FIELD_TYPE);
    StructuredDocument maps =
        doc(new ListSchema(MapSchema.of(FieldDef.of("a", FieldType.TEXT)), 9));
    refusedUnchanged(maps, () -> maps.pushItem(json("'x'")), ErrorCode.FIELD_TYPE);
    refusedUnchanged(maps, () -> maps.pushItem(json("{'a':1}")), ErrorCode.FIELD_TYPE);
    refusedUnchanged(maps, () -> maps.pushItem(json("{'b':'1'}")), ErrorCode.FIELD_NOT_FOUND);
    StructuredDocument lists = doc(new ListSchema(new ListSchema(new TextSchema(null), 2), null));
    lists.pushItem(json("['a','b']"));
    refusedUnchanged(lists, () -> lists.pushItem(json("['a',1]")), ErrorCode.FIELD_TYPE);
    refusedUnchanged(lists, () -> lists.pushItem(json("['a','b','c']")), ErrorCode.LIMIT_EXCEEDED);
    refusedUnchanged(lists, () -> lists.pushItem(json("{}")), ErrorCode.FIELD_TYPE);
  }

  @Nested
  class Logs { // 8
    @Test
    void fillInTimeAndAuthor() {
      StructuredDocument log = doc(Docs.EVENTS);
      log.appendLogEntry(json("{'message':'a'}"));
      log.actingAs(Actor.system()).append("b");
      log.actingAs(HUMAN).append("{\"message\":\"c\",\"agent_id\":\"zoe\"}");
      assertThat(log.render())
          .isEqualTo(
              """
              [2025-01-01T00:00:00Z] (zoe) c
              [2025-01-01T00:00:00Z] (system) b
              [2025-01-01T00:00:00Z] (entropy) a\
              """);
      refusedUnchanged(
          log, () -> log.appendLogEntry(json("{'level':1}")), ErrorCode.FIELD_NOT_FOUND);
      refusedUnchanged(
          log, () -> log.appendLogEntry(json("{'timestamp':'now'}")), ErrorCode.FIELD_TYPE);
      refusedUnchanged(log, () -> log.appendLogEntry(json("'x'")), ErrorCode.FIELD_TYPE);
    }

    @Test
    void takeNoEntryOfAnAgentInTheNameOfAnother() { // M-29
      StructuredDocument log = doc(Docs.EVENTS);
      refusedUnchanged(
          log,
          () -> log.appendLogEntry(json("{'message':'a','agent_id':'zoe'}")),
          ErrorCode.ACCESS_DENIED);
      refusedUnchanged(
          log,
          () -> log.importJson(json("[{'message':'a','agent_id':'zoe'}]")),
          ErrorCode.ACCESS_DENIED);
      log.appendLogEntry(json("{'message':'a','agent_id':'entropy'}"));
      log.actingAs(Actor.system()).append("{\"message\":\"b\",\"agent_id\":\"zoe\"}");
      assertThat(log.logEntries()).hasSize(2);
    }

    @Test
    void areChangedByTheSystemOnly() {
      StructuredDocument log = doc(Docs.EVENTS);
      log.append("a");
      log.append("b");
      log.commit();
      String kept = log.exportJson().toJson();
      for (Actor actor : List.of(AGENT, HUMAN)) {
        StructuredDocument as = log.actingAs(actor);
        refusedUnchanged(log, () -> as.importJson(json("[]")), ErrorCode.READ_ONLY);
        refusedUnchanged(log, () -> as.importJson(json("[{'message':'x'}]")), ErrorCode.READ_ONLY);
      }
      log.importJson(
          JsonValue.parse(kept.substring(0, kept.length() - 1) + ",{\"message\":\"c\"}]"));
      assertThat(log.logEntries(9)).hasSize(3);
      log.actingAs(Actor.system()).importJson(json("[{'message':'only'}]"));
      assertThat(log.logEntries(9)).hasSize(1);
    }

    @Test
    void loseNoEntryByMergesOfOthers() {
      StructuredDocument log = doc(Docs.EVENTS);
      log.append("a");
      StructuredDocument other = doc(Docs.EVENTS);
      other.applyUpdates(log.exportUpdates());
      other.actingAs(Actor.system()).importJson(json("[]"));
      refusedUnchanged(log, () -> log.applyUpdates(other.exportUpdates()), ErrorCode.READ_ONLY);
      log.actingAs(Actor.system()).applyUpdates(other.exportUpdates());
      assertThat(log.logEntries(9)).isEmpty();
    }
  }

  @Test
  void appendsAndReplacesText() { // 11
    StructuredDocument document = doc(TextSchema.PLAIN);
    document.appendText("");
    assertThat(document.hasUncommittedEdits()).isFalse();
    document.appendText("ab");
    document.append("ab");
    assertThat(document.text()).isEqualTo("abab");
    assertThat(document.replaceText("b", "x")).isTrue();
    assertThat(document.text()).isEqualTo("axab");
    assertThat(document.replaceText("", "x")).isFalse();
    assertThat(document.replaceText("q", "x")).isFalse();
    assertThat(document.replaceText("a", "a")).isFalse();
    assertThat(document.text()).isEqualTo("axab");
  }

  @Test
  void countsCodePoints() { // 12
    StructuredDocument document = doc(TextSchema.PLAIN);
    document.setText("😀世界");
    assertThat(document.replaceText("世", "😀")).isTrue();
    assertThat(document.text()).isEqualTo("😀😀界");
    document.splice(1, 1, "👩‍💻");
    assertThat(document.text()).isEqualTo("😀👩‍💻界");
    assertThat(document.replaceText("👩‍💻界", "世")).isTrue();
    assertThat(document.text()).isEqualTo("😀世");
    document.setText("a\0b\uD83Dc\uDE00");
    assertThat(document.text()).isEqualTo("a\uFFFDb\uFFFDc\uFFFD");
    StructuredDocument free = doc(MapSchema.of());
    free.setField("k", new JsonString("\0"));
    free.setField("o", JsonObject.of("\uD800", JsonArray.of(new JsonString("\0"))));
    assertThat(free.exportJson().toJson())
        .isEqualTo("{\"k\":\"\uFFFD\",\"o\":{\"\uFFFD\":[\"\uFFFD\"]}}");
    refusedUnchanged(document, () -> document.splice(7, 0, "x"), ErrorCode.INDEX_OUT_OF_RANGE);
    refusedUnchanged(document, () -> document.splice(5, 2, "x"), ErrorCode.INDEX_OUT_OF_RANGE);
    refusedUnchanged(document, () -> document.splice(-1, 0, "x"), ErrorCode.INDEX_OUT_OF_RANGE);
    refusedUnchanged(
        document, () -> document.splice(1, Integer.MAX_VALUE, ""), ErrorCode.INDEX_OUT_OF_RANGE);
  }

  @Test
  void checksIndices() { // 13
    StructuredDocument list = doc(ListSchema.ofAnything());
    list.insertItem(0, json("'a'"));
    list.insertItem(1, json("'c'"));
    list.insertItem(1, json("'b'"));
    assertThat(list.exportJson()).isEqualTo(json("['a','b','c']"));
    ContextureException refused =
        refusedUnchanged(list, () -> list.insertItem(4, json("1")), ErrorCode.INDEX_OUT_OF_RANGE);
    assertThat(refused.details()).containsEntry("index", 4L).containsEntry("length", 3L);
    refusedUnchanged(list, () -> list.deleteItem(3), ErrorCode.INDEX_OUT_OF_RANGE);
    refusedUnchanged(list, () -> list.setItem(-1, json("1")), ErrorCode.INDEX_OUT_OF_RANGE);
    StructuredDocument map = doc(Docs.PROFILE);
    map.setField("tags", json("[1]"));
    refusedUnchanged(map, () -> map.removeFromListField("tags", 1), ErrorCode.INDEX_OUT_OF_RANGE);
    map.removeFromListField("tags", 0);
    assertThat(map.getListField("tags")).isEmpty();
  }

  @Test
  void appendsByKind() { // 14
    StructuredDocument list = doc(ListSchema.ofAnything());
    list.append("{\"a\":1.10}");
    list.append("not json");
    list.append("12");
    assertThat(list.exportJson().toJson()).isEqualTo("[{\"a\":1.10},\"not json\",12]");
    StructuredDocument texts = doc(new ListSchema(new TextSchema(null), null));
    texts.append("12");
    assertThat(texts.exportJson()).isEqualTo(json("['12']"));
    StructuredDocument log =
        doc(new LogSchema(9, new LogSchema.EntrySchema(false, false, List.of())));
    log.append("{\"a\":1}");
    log.append("[1]");
    assertThat(log.exportJson()).isEqualTo(json("[{'a':1},{'message':'[1]'}]"));
    log.append("");
    assertThat(log.logEntries(9)).hasSize(2);
    for (BlockSchema schema : List.of(MapSchema.of(), Docs.REPORT)) {
      StructuredDocument document = doc(schema);
      ContextureException refused =
          refusedUnchanged(document, () -> document.append("x"), ErrorCode.WRONG_SCHEMA);
      assertThat(refused.details())
          .containsEntry("operation", "append")
          .containsEntry("kind", schema.kind());
    }
  }

  @Nested
  class Json { // 15
    @Test
    void isLosslessForEveryKind() {
      for (var sample : Samples.FULL.entrySet()) {
        StructuredDocument from = doc(sample.getKey()).actingAs(Actor.system());
        from.importJson(sample.getValue());
        String exported = from.exportJson().toJson();
        StructuredDocument to = doc(sample.getKey()).actingAs(Actor.system());
        to.importJson(JsonValue.parse(exported));
        assertThat(to.exportJson().toJson()).isEqualTo(exported);
        assertThat(to.render()).isEqualTo(from.render());
        assertThat(exported).isEqualTo(sample.getValue().toJson());
      }
    }

    @Test
    void replacesEverything() {
      for (var sample : Samples.FULL.entrySet()) {
        StructuredDocument document = doc(sample.getKey()).actingAs(Actor.system());
        document.importJson(sample.getValue());
        JsonValue other = Samples.OTHER.get(sample.getKey());
        document.importJson(java.util.Objects.requireNonNull(other));
        assertThat(document.exportJson().toJson()).isEqualTo(other.toJson());
        document.importJson(sample.getValue());
        assertThat(document.exportJson().toJson()).isEqualTo(sample.getValue().toJson());
      }
    }

    @Test
    void refusesWhatDoesNotFit() {
      StructuredDocument document = doc(Docs.REPORT);
      refusedUnchanged(
          document, () -> document.importJson(json("{'other':'x'}")), ErrorCode.FIELD_NOT_FOUND);
      refusedUnchanged(
          document, () -> document.importJson(json("{'notes':1}")), ErrorCode.FIELD_TYPE);
      refusedUnchanged(document, () -> document.importJson(json("[]")), ErrorCode.FIELD_TYPE);
    }
  }

  @Test
  void editsShowToOthersByCommitOnly() { // 16
    DetachedHost host = Docs.host(TextSchema.PLAIN);
    StructuredDocument one = host.open(AGENT);
    StructuredDocument two = host.open(AGENT);
    one.setText("mine");
    two.refresh();
    assertThat(two.text()).isEmpty();
    assertThat(one.commit()).isEqualTo(1);
    assertThat(one.commit()).isEqualTo(1);
    two.refresh();
    assertThat(two.text()).isEqualTo("mine");
    two.appendText(" lost");
    two.close();
    Docs.refused(two::text, ErrorCode.INVALID_ARGUMENT);
    assertThat(host.open(AGENT).text()).isEqualTo("mine");
  }

  @Test
  void listFieldsStartAsTheirDefault() { // M-27
    StructuredDocument document =
        doc(MapSchema.of(FieldDef.of("l", FieldType.LIST).withDefault(json("['a']"))));
    assertThat(document.render()).isEqualTo("l:\n- a");
    document.appendToListField("l", json("'b'"));
    assertThat(document.getListField("l")).hasSize(2);
    document.removeFromListField("l", 0);
    document.removeFromListField("l", 0);
    assertThat(document.render()).isEmpty();
    document.removeField("l");
    assertThat(document.render()).isEqualTo("l:\n- a");
    document.removeFromListField("l", 0);
    assertThat(document.render()).isEmpty();
  }
}

package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.TextSchema;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Golden output: conformance items 27 to 31. */
class ContentRendererTest {
  private static String viewport(String text, int start, int lines) {
    StructuredDocument document = Docs.doc(new TextSchema(new TextSchema.Viewport(start, lines)));
    document.setText(text);
    return document.render();
  }

  @Nested
  class Texts {
    @Test
    void areUnchanged() {
      StructuredDocument document = Docs.doc(TextSchema.PLAIN);
      assertThat(document.render()).isEmpty();
      document.setText("a\r\n=== x ===\n\n😀世界\n");
      assertThat(document.render()).isEqualTo("a\r\n=== x ===\n\n😀世界\n");
    }

    @Test
    void showTheLinesOfTheirViewport() { // M-38
      assertThat(viewport("a\nb\nc\nd\ne", 2, 2)).isEqualTo("[lines 2-3 of 5]\nb\nc");
      assertThat(viewport("a\nb\nc\nd\ne", 4, 9)).isEqualTo("[lines 4-5 of 5]\nd\ne");
      assertThat(viewport("a\nb\nc\nd\ne", 9, 2))
          .isEqualTo("[lines 9-10 are past the end, text has 5]");
      assertThat(viewport("", 1, 2)).isEqualTo("[lines 1-2 are past the end, text has 0]");
      assertThat(viewport("a\r\nb\r\n", 1, 9)).isEqualTo("[lines 1-2 of 2]\na\nb");
      assertThat(viewport("\n", 1, 1)).isEqualTo("[lines 1-1 of 1]\n");
      assertThat(viewport("😀\n世界", 2, Integer.MAX_VALUE)).isEqualTo("[lines 2-2 of 2]\n世界");
    }
  }

  @Nested
  class Maps {
    @Test
    void showFieldsInSchemaOrder() { // M-39
      StructuredDocument document = Docs.doc(Docs.PROFILE);
      document.setField("bio", new JsonString("likes\ntea"));
      document.appendToListField("tags", new JsonString("important"));
      document.appendToListField("tags", new JsonString("two words"));
      document.incrementCounter("score", 5);
      document.incrementCounter("score", -2);
      document.setTextField("name", "Alice");
      document.actingAs(Actor.system()).setTextField("status", "active");
      assertThat(document.render())
          .isEqualTo(
              """
              name: Alice
              status [read-only]: active
              tags:
              - important
              - two words
              score: 3
              energy: 5
              bio: likes
                tea\
              """);
    }

    @Test
    void hideEmptyListsAndUnsetFields() {
      StructuredDocument document = Docs.doc(Docs.PROFILE);
      assertThat(document.render()).isEqualTo("score: 0\nenergy: 5");
      document.setField("tags", json("[]"));
      assertThat(document.render()).isEqualTo("score: 0\nenergy: 5");
    }

    @Test
    void keepInsertionOrderWithoutDeclaredFields() { // M-25
      StructuredDocument document = Docs.doc(MapSchema.of());
      assertThat(document.render()).isEmpty();
      document.setField("z", json("{'b':[1,{}],'a':null}"));
      document.setField("a", json("[]"));
      document.setField("m", json("'世\\n\\n  界\\n'"));
      document.setField("e", json("''"));
      document.setField("n", json("null"));
      document.setField("z", json("{'b':[1,{}],'a':true}"));
      assertThat(document.render())
          .isEqualTo("z: {b: [1, {}], a: true}\na: []\nm: 世\n\n    界\n\ne:\nn: null");
    }

    @Test
    void cannotBeImitatedByAValue() { // M-37
      StructuredDocument document = Docs.doc(MapSchema.of());
      document.setField("a", json("'\\nstatus: fine'"));
      document.setField("b", json("['x\\nb: 2', '', '\\ny']"));
      document.setField("c", json("{'k\\nd: 1':'\\r\\nv'}"));
      assertThat(document.render())
          .isEqualTo("a:\n  status: fine\nb: [x\n  b: 2, ,\n  y]\nc: {k\n  d: 1:\r\n  v}");
      assertThat(document.render().lines()).noneMatch(line -> line.endsWith(" "));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5.0,5",
    "1.10,1.10",
    "1e3,1000",
    "-0,0",
    "-0.0,0",
    "1E-5,0.00001",
    "1e999,1e999",
    "1e39,1000000000000000000000000000000000000000",
    "1e40,1e40",
    "100,100",
    "-2.50e1,-25",
    "123456789012345678901234567890.5,123456789012345678901234567890.5"
  })
  void numbersArePlain(String given, String shown) { // M-37
    StructuredDocument document = Docs.doc(ListSchema.ofAnything());
    document.pushItem(JsonValue.parse(given));
    assertThat(document.render()).isEqualTo("1. " + shown);
  }

  @Nested
  class Lists {
    @Test
    void showPositionsAndCheckboxes() { // M-40
      StructuredDocument document = Docs.doc(ListSchema.ofAnything());
      assertThat(document.render()).isEmpty();
      document.importJson(
          json(
              "[{'task':'Review PR'},{'title':'Ship','done':true,'priority':3},"
                  + "{'title':'Rest','done':false},'plain',['a',1],{'k':{'z':1,'a':null}}]"));
      assertThat(document.render())
          .isEqualTo(
              """
              1. task: Review PR
              [x] title: Ship, priority: 3
              [ ] title: Rest
              4. plain
              5. [a, 1]
              6. k: {z: 1, a: null}\
              """);
    }

    @Test
    void showEdges() {
      StructuredDocument document = Docs.doc(ListSchema.ofAnything());
      document.importJson(json("['', {}, {'done':true}, {'done':'yes'}, 'x\\n4. y', '😀', null]"));
      assertThat(document.render())
          .isEqualTo("1.\n2.\n[x]\n4. done: yes\n5. x\n  4. y\n6. 😀\n7. null");
    }

    @Test
    void orderKeysAsTheItemSchema() {
      StructuredDocument document =
          Docs.doc(
              new ListSchema(
                  MapSchema.of(FieldDef.of("a", FieldType.TEXT), FieldDef.of("b", FieldType.TEXT)),
                  null));
      document.pushItem(json("{'b':'2','a':'1'}"));
      assertThat(document.render()).isEqualTo("1. a: 1, b: 2");
      assertThat(document.exportJson().toJson()).isEqualTo("[{\"b\":\"2\",\"a\":\"1\"}]");
    }
  }

  @Nested
  class Logs {
    @Test
    void showTheNewestFirst() { // M-41
      StructuredDocument document = Docs.doc(Docs.EVENTS);
      assertThat(document.render()).isEmpty();
      String[][] entries = {
        {"00", "archive", "first"},
        {"01", "entropy", "second"},
        {"02", "archive", "third"},
        {"03", "entropy", "fourth"}
      };
      for (String[] entry : entries) {
        document
            .actingAs(Actor.agent(entry[1]))
            .appendLogEntry(
                json(
                    "{'timestamp':'2025-01-01T00:"
                        + entry[0]
                        + ":00Z','agent_id':'"
                        + entry[1]
                        + "','message':'"
                        + entry[2]
                        + "'}"));
      }
      assertThat(document.render())
          .isEqualTo(
              """
              [2025-01-01T00:03:00Z] (entropy) fourth
              [2025-01-01T00:02:00Z] (archive) third
              [2025-01-01T00:01:00Z] (entropy) second\
              """);
      assertThat(document.logEntries(9)).hasSize(4);
      assertThat(document.logEntries()).hasSize(3);
    }

    @Test
    void showOneFieldBareAndSeveralAsPairs() {
      StructuredDocument document =
          Docs.doc(new LogSchema(9, new LogSchema.EntrySchema(false, true, List.of())));
      document.appendLogEntry(json("{'timestamp':'x','level':2}"));
      document.appendLogEntry(json("{'only':'😀\\n世'}"));
      document.appendLogEntry(json("{}"));
      assertThat(document.render())
          .isEqualTo("(entropy)\n(entropy) 😀\n  世\n(entropy) timestamp: x, level: 2");
    }
  }

  @Nested
  class Composites {
    @Test
    void showHeadersAndContent() { // M-42
      StructuredDocument document = Docs.doc(Docs.REPORT);
      document.setTextInSection("notes here", "notes");
      document.setFieldInSection("count", JsonValue.of(42), "stats");
      assertThat(document.render())
          .isEqualTo(
              """
              === notes ===

              notes here

              === stats ===

              count: 42

              === diagnostics [read-only] ===\
              """);
      assertThat(document.section("notes").render()).isEqualTo("notes here");
    }

    @Test
    void disarmForgedHeaders() {
      StructuredDocument document = Docs.doc(Docs.REPORT);
      document.setTextInSection(
          "a\n=== stats ===\n=== x === y\n======\n=== diagnostics [read-only] ===\r\n", "notes");
      assertThat(document.render())
          .startsWith(
              "=== notes ===\n\na\n\\=== stats ===\n=== x === y\n======\n"
                  + "\\=== diagnostics [read-only] ===\r\n\n\n=== stats ===");
      assertThat(document.section("notes").text()).startsWith("a\n=== stats ===");
    }

    @Test
    void showEmptySections() {
      assertThat(Docs.host(Docs.REPORT).open(AGENT).render())
          .isEqualTo("=== notes ===\n\n=== stats ===\n\n=== diagnostics [read-only] ===");
    }
  }
}

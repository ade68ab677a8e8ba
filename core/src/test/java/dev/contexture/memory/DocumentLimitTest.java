package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.HUMAN;
import static dev.contexture.memory.Docs.doc;
import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refusedUnchanged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.TextSchema;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Conformance items 9 and 10: how large a document may become. */
class DocumentLimitTest {
  @Nested
  class CharLimit { // 9
    @Test
    void bindsEveryActor() {
      StructuredDocument document = doc(TextSchema.PLAIN);
      document.setText("😀".repeat(5_000));
      for (Actor actor : List.of(AGENT, HUMAN, Actor.system())) {
        ContextureException refused =
            refusedUnchanged(
                document, () -> document.actingAs(actor).appendText("x"), ErrorCode.LIMIT_EXCEEDED);
        assertThat(refused.details())
            .containsEntry("limit", 5_000L)
            .containsEntry("actual", 5_001L);
      }
    }

    @Test
    void letsAnOversizedDocumentShrink() {
      DetachedHost host = Docs.host(TextSchema.PLAIN);
      StructuredDocument document = host.open(AGENT);
      document.setText("x".repeat(20));
      host.settings(host.settings().withCharLimit(10));
      assertThat(document.validate())
          .extracting(DocumentProblem::part)
          .containsExactly("char_limit");
      document.setText("x".repeat(15));
      refusedUnchanged(document, () -> document.appendText("y"), ErrorCode.LIMIT_EXCEEDED);
      document.setText("x".repeat(10));
      assertThat(document.validate()).isEmpty();
    }

    @Test
    void countsRenderedContentWithoutViewportAndEachLogEntry() {
      DetachedHost text = Docs.host(new TextSchema(new TextSchema.Viewport(1, 1)));
      text.settings(text.settings().withCharLimit(5));
      refusedUnchanged(
          text.open(AGENT), () -> text.open(AGENT).setText("a\nbcde"), ErrorCode.LIMIT_EXCEEDED);
      text.open(AGENT).setText("a\nbcd");
      DetachedHost map = Docs.host(MapSchema.of());
      map.settings(map.settings().withCharLimit(9));
      StructuredDocument fields = map.open(AGENT);
      fields.setField("a", json("'b'")); // a: b
      fields.setField("c", json("'d'")); // and a line feed
      refusedUnchanged(fields, () -> fields.setField("c", json("'de'")), ErrorCode.LIMIT_EXCEEDED);
      DetachedHost log =
          Docs.host(new LogSchema(9, new LogSchema.EntrySchema(false, false, List.of())));
      log.settings(log.settings().withCharLimit(3));
      StructuredDocument entries = log.open(AGENT);
      entries.append("abc");
      entries.append("abc");
      refusedUnchanged(entries, () -> entries.append("abcd"), ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    void countsTheWholeComposite() {
      DetachedHost host = Docs.host(Docs.REPORT);
      StructuredDocument document = host.open(AGENT);
      int empty = document.render().length();
      host.settings(host.settings().withCharLimit(empty + 2 + 3));
      document.setTextInSection("abc", "notes");
      refusedUnchanged(
          document, () -> document.setTextInSection("abcd", "notes"), ErrorCode.LIMIT_EXCEEDED);
      refusedUnchanged(
          document,
          () -> document.setFieldInSection("count", json("1"), "stats"),
          ErrorCode.LIMIT_EXCEEDED);
    }
  }

  @Test
  void boundsJsonValues() { // M-3
    StructuredDocument list = doc(ListSchema.ofAnything());
    refusedUnchanged(
        list,
        () -> list.pushItem(JsonValue.parse("[".repeat(33) + "]".repeat(33))),
        ErrorCode.LIMIT_EXCEEDED);
    list.pushItem(JsonValue.parse("[".repeat(32) + "]".repeat(32)));
    refusedUnchanged(
        list,
        () -> list.pushItem(new JsonString("x".repeat((1 << 20) - 1))),
        ErrorCode.LIMIT_EXCEEDED);
    refusedUnchanged(list, () -> list.commit("x".repeat(1_001)), ErrorCode.LIMIT_EXCEEDED);
  }

  @Test
  void mergesMayExceedALimitUntilTheNextGrowth() { // 10
    DetachedHost host = Docs.host(new ListSchema(null, 2));
    StructuredDocument one = host.open(AGENT);
    one.pushItem(json("1"));
    one.commit();
    StructuredDocument two = host.open(AGENT);
    one.pushItem(json("2"));
    two.pushItem(json("3"));
    one.commit();
    two.commit();
    one.refresh();
    assertThat(one.listItems()).hasSize(3);
    assertThat(one.exportJson()).isEqualTo(two.exportJson());
    assertThat(one.validate())
        .containsExactly(
            new DocumentProblem(ErrorCode.LIMIT_EXCEEDED, "items", "3", "at most 2 items"));
    refusedUnchanged(one, () -> one.pushItem(json("4")), ErrorCode.LIMIT_EXCEEDED);
    one.setItem(0, json("5"));
    one.deleteItem(0);
    assertThat(one.validate()).isEmpty();
  }
}

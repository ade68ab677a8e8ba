package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refusedUnchanged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.BaseEdit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Edits against a base: conformance item 84 (M-128). */
class BaseEditTest {
  private static DetachedHost text() {
    DetachedHost host = Docs.host(TextSchema.PLAIN);
    StructuredDocument document = host.open(AGENT);
    document.setText("buy milk\ncall Ann");
    document.commit();
    document.appendText("\npay rent");
    document.commit();
    return host;
  }

  private static DetachedHost list() {
    DetachedHost host = Docs.host(ListSchema.ofAnything());
    StructuredDocument document = host.open(AGENT);
    for (String item : List.of("a", "b", "c")) {
      document.pushItem(new JsonString(item));
      document.commit();
    }
    document.deleteItem(0);
    document.commit();
    return host;
  }

  @Test
  void staleTextEditRemovesNothingUnseen() {
    StructuredDocument document = text().open(AGENT);
    document.setText("buy oat milk\ncall Ann", 1);
    assertThat(document.text()).isEqualTo("buy oat milk\ncall Ann\npay rent");
    StructuredDocument now = text().open(AGENT);
    now.setText("buy oat milk\ncall Ann");
    assertThat(now.text()).isEqualTo("buy oat milk\ncall Ann");
    StructuredDocument splice = text().open(AGENT);
    splice.splice(9, 8, "", 1);
    assertThat(splice.text()).isEqualTo("buy milk\n\npay rent");
  }

  @Test
  void staleListEditRefersToWhatItSaw() {
    StructuredDocument document = list().open(AGENT);
    document.deleteItem(1, 3);
    assertThat(document.exportJson()).isEqualTo(json("['c']"));
    StructuredDocument now = list().open(AGENT);
    now.deleteItem(1);
    assertThat(now.exportJson()).isEqualTo(json("['b']"));
    StructuredDocument gone = list().open(AGENT);
    gone.deleteItem(0, 3);
    gone.setItem(0, json("1"), 3);
    assertThat(gone.exportJson()).isEqualTo(json("['b','c']"));
    StructuredDocument inserted = list().open(AGENT);
    inserted.insertItem(2, json("'x'"), 3);
    inserted.setItem(2, json("'C'"), 3);
    assertThat(inserted.exportJson()).isEqualTo(json("['b','x','C']"));
  }

  @Test
  void keepsAnItemThatOthersHaveChanged() {
    for (int round = 0; round < 20; round++) { // replica ids are random: whichever wins a tie
      DetachedHost host = Docs.host(ListSchema.ofAnything());
      StructuredDocument document = host.open(AGENT);
      document.importJson(json("['a','b']"));
      document.commit();
      document.setItem(0, json("'new'"));
      document.commit();
      StructuredDocument stale = host.open(AGENT);
      stale.setItem(0, json("'stale'"), 1);
      assertThat(stale.exportJson()).isEqualTo(json("['new','b']"));
      stale.deleteItem(0, 1);
      assertThat(stale.exportJson()).isEqualTo(json("['new','b']"));
      stale.deleteItem(1, 1);
      assertThat(stale.exportJson()).isEqualTo(json("['new']"));
    }
  }

  @Test
  void removesFromListFieldsWhatWasSeen() {
    DetachedHost host = Docs.host(Docs.PROFILE);
    StructuredDocument document = host.open(AGENT);
    document.setField("tags", json("['a','b','c']"));
    document.commit();
    document.removeFromListField("tags", 0);
    document.commit();
    document.removeFromListField("tags", 1, 1);
    assertThat(document.getListField("tags")).containsExactly(new JsonString("c"));
    document.removeFromListField("tags", 0, 1); // gone already
    assertThat(document.getListField("tags")).containsExactly(new JsonString("c"));
  }

  @Test
  void ignoresUncommittedEdits() {
    StructuredDocument document = text().open(AGENT);
    document.splice(0, 0, "TODO: ");
    document.splice(4, 4, "tea", 2);
    assertThat(document.text()).isEqualTo("TODO: buy tea\ncall Ann\npay rent");
    assertThat(document.commit()).isEqualTo(3);
  }

  @Test
  void checksBaseIndicesAndLimits() {
    StructuredDocument document = text().open(AGENT);
    refusedUnchanged(document, () -> document.setText("x", 3), ErrorCode.INVALID_ARGUMENT);
    refusedUnchanged(document, () -> document.setText("x", -1), ErrorCode.INVALID_ARGUMENT);
    refusedUnchanged(document, () -> document.splice(18, 0, "x", 1), ErrorCode.INDEX_OUT_OF_RANGE);
    StructuredDocument items = list().open(AGENT);
    refusedUnchanged(items, () -> items.deleteItem(2, 2), ErrorCode.INDEX_OUT_OF_RANGE);
    items.deleteItem(2, 3);
    DetachedHost host = text();
    host.settings(host.settings().withCharLimit(26));
    StructuredDocument full = host.open(AGENT);
    refusedUnchanged(
        full, () -> full.setText("buy oat milk\ncall Ann", 1), ErrorCode.LIMIT_EXCEEDED);
    DetachedHost appends = list();
    appends.settings(appends.settings().withPermission(MemoryPermission.APPEND));
    StructuredDocument appending = appends.open(AGENT);
    refusedUnchanged(
        appending, () -> appending.insertItem(2, json("1"), 4), ErrorCode.PERMISSION_DENIED);
    appending.insertItem(2, json("1"));
  }

  /** Editors with random bases, each of whose characters and items is unique. */
  @Property(tries = 60)
  void staleEditorsNeverRemoveWhatTheyDidNotSee(
      @ForAll @Size(min = 1, max = 25) List<@IntRange(min = 0, max = 1_000_000) Integer> choices) {
    DetachedHost texts = Docs.host(TextSchema.PLAIN);
    DetachedHost lists = Docs.host(ListSchema.ofAnything());
    List<String> textAt = new ArrayList<>(List.of(""));
    List<List<JsonValue>> listAt = new ArrayList<>(List.of(List.of()));
    int next = 0x4E00; // a fresh character for everything that is written
    for (int choice : choices) {
      int base = choice % textAt.size();
      String fresh = Character.toString(next++) + Character.toString(next++);
      StructuredDocument text = texts.open(AGENT);
      String seen = textAt.get(base);
      String before = text.text();
      int from = seen.isEmpty() ? 0 : choice / 7 % (seen.length() + 1);
      int count = choice / 11 % (seen.length() - from + 1);
      if (choice % 2 == 0) {
        text.setText(seen.substring(0, from) + fresh + seen.substring(from + count), base);
      } else {
        text.splice(from, count, fresh, base);
      }
      text.commit();
      textAt.add(text.text());
      assertThat(chars(text.text()))
          .containsAll(without(chars(before), chars(seen.substring(from, from + count))))
          .containsAll(chars(fresh));

      StructuredDocument list = lists.open(AGENT);
      List<JsonValue> items = listAt.get(base);
      List<JsonValue> now = list.listItems();
      JsonValue item = JsonValue.of(next++);
      int index = items.isEmpty() ? 0 : choice / 13 % items.size();
      int kind = items.isEmpty() ? 0 : choice % 3;
      Set<JsonValue> mayGo = new java.util.HashSet<>();
      switch (kind) {
        case 0 -> list.insertItem(index, item, base);
        case 1 -> {
          list.setItem(index, item, base);
          mayGo.add(items.get(index));
        }
        default -> {
          list.deleteItem(index, base);
          mayGo.add(items.get(index));
        }
      }
      list.commit();
      listAt.add(list.listItems());
      List<JsonValue> kept = new ArrayList<>(now);
      kept.removeAll(mayGo);
      assertThat(list.listItems()).containsAll(kept);
      // Both hosts must have one version per round for the next bases.
      if (lists.current().version() < texts.current().version()) {
        list.pushItem(JsonValue.of(next++));
        list.commit();
        listAt.set(listAt.size() - 1, list.listItems());
      }
    }
  }

  private static Set<Integer> chars(String text) {
    return text.codePoints()
        .boxed()
        .collect(java.util.stream.Collectors.toCollection(TreeSet::new));
  }

  private static Set<Integer> without(Set<Integer> all, Set<Integer> gone) {
    Set<Integer> rest = new TreeSet<>(all);
    rest.removeAll(gone);
    return rest;
  }

  @Test
  void anItemThatOthersChangedOrDeletedIsSaidToBeLeftAlone() { // M-128
    DetachedHost host = Docs.host(new ListSchema(null, null));
    StructuredDocument list = host.open(AGENT);
    list.pushItem(JsonValue.of("a"));
    list.pushItem(JsonValue.of("b"));
    list.commit();
    list.setItem(0, JsonValue.of("A"));
    list.deleteItem(1);
    list.commit();
    assertThat(list.setItem(0, JsonValue.of("x"), 1)).isEqualTo(BaseEdit.ITEM_CHANGED);
    assertThat(list.deleteItem(0, 1)).isEqualTo(BaseEdit.ITEM_CHANGED);
    assertThat(list.deleteItem(1, 1)).isEqualTo(BaseEdit.ITEM_CHANGED);
    assertThat(list.setItem(1, JsonValue.of("x"), 1)).isEqualTo(BaseEdit.ITEM_CHANGED);
    assertThat(new MemoryOp.DeleteItem(0).apply(list, 1L).toJson())
        .isEqualTo("{\"applied\":false,\"reason\":\"item_changed\"}");
    assertThat(list.hasUncommittedEdits()).isFalse();
    assertThat(list.setItem(0, JsonValue.of("x"), 2)).isEqualTo(BaseEdit.APPLIED);
    assertThat(list.render()).isEqualTo("1. x");
  }
}

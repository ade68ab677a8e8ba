package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.store.MemoryRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that are too long for their text to be kept beside them are found all the same. */
class LargeMemorySearchTest {
  private static final String AGENT = "atlas";
  private static final String LONG = "some words ".repeat(2_000);

  @TempDir Path directory;

  private static String create(MemoryStore memory, String content) {
    return memory.createBlock(
        AGENT, BlockSpec.of("notes", MemoryBlockType.WORKING).charLimit(100_000).content(content));
  }

  @Test
  void isFoundByWhatAnEditAddedAndNotByWhatItRemoved() {
    try (Contexture engine = Contexture.open(directory)) {
      SearchFixture search = new SearchFixture(engine);
      MemoryStore memory = engine.memory(SCOPE);
      String id = create(memory, LONG + "marmalade");
      assertThat(engine.store().memory().preview(SCOPE, id)).isEmpty();
      assertThat(search.contents(AGENT, "marmalade")).containsExactly(LONG + "marmalade");
      memory.replaceInBlock(AGENT, "notes", "marmalade", "honey");
      assertThat(search.contents(AGENT, "honey")).containsExactly(LONG + "honey");
      assertThat(search.contents(AGENT, "marmalade")).isEmpty();
      assertThat(memory.getBlockMetadata(AGENT, "notes").orElseThrow().size())
          .isEqualTo(LONG.length() + 5);
    }
    try (Contexture engine = Contexture.open(directory)) { // from the store alone
      assertThat(new SearchFixture(engine).contents(AGENT, "honey"))
          .containsExactly(LONG + "honey");
    }
  }

  @Test
  void keepsItsTextOnceItIsShort() {
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      String id = create(memory, LONG);
      memory.updateBlockText(AGENT, "notes", "short now");
      assertThat(engine.store().memory().preview(SCOPE, id)).contains("short now");
      memory.updateBlockText(AGENT, "notes", LONG);
      assertThat(engine.store().memory().preview(SCOPE, id)).isEmpty();
      memory.updateBlockText(AGENT, "notes", "");
      assertThat(engine.store().memory().preview(SCOPE, id)).contains("");
      assertThat(new SearchFixture(engine).contents(AGENT, "words")).isEmpty();
    }
  }

  /** As earlier versions stored it: with its text, however long. */
  @Test
  void goesOnFromABlockWhoseLongTextWasKept() {
    try (Contexture engine = Contexture.open(directory)) {
      SearchFixture search = new SearchFixture(engine);
      MemoryStore memory = engine.memory(SCOPE);
      String id = create(memory, LONG + "marmalade");
      search.memory(
          new MemoryRow.PutPreview(id, LONG + "marmalade", LONG.length() + 9),
          new MemoryRow.IndexBlock(id));
      assertThat(search.contents(AGENT, "marmalade")).containsExactly(LONG + "marmalade");
      memory.appendToBlock(AGENT, "notes", " and honey");
      assertThat(engine.store().memory().preview(SCOPE, id)).isEmpty();
      assertThat(search.contents(AGENT, "honey")).containsExactly(LONG + "marmalade and honey");
    }
  }

  @Test
  void goesForGoodWhenItIsPurged() {
    try (Contexture engine = Contexture.open(directory)) {
      SearchFixture search = new SearchFixture(engine);
      MemoryStore memory = engine.memory(SCOPE);
      String id = create(memory, LONG + "marmalade");
      assertThat(search.contents(AGENT, "marmalade")).hasSize(1);
      MemoryStore person = memory.actingAs(Actor.human("ann"));
      person.deleteBlock(AGENT, "notes");
      assertThat(person.purgeBlock(id)).isTrue();
      assertThat(search.contents(AGENT, "marmalade")).isEmpty();
      assertThat(engine.store().memory().document(SCOPE, id, 0)).isEmpty();
    }
  }

  @Test
  void manyEditsOfALargeListSurviveFoldingAndUndoing() {
    List<JsonValue> items = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      items.add(new JsonString("item number " + i * 7919L % 3_001));
    }
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      memory.createBlock(
          AGENT,
          BlockSpec.of("notes", MemoryBlockType.WORKING)
              .schema(ListSchema.ofAnything())
              .charLimit(1_000_000)
              .content(new JsonArray(items)));
      for (int i = 0; i < 300; i++) {
        JsonValue item = JsonValue.of(i);
        memory.edit(
            AGENT,
            "notes",
            "",
            document -> {
              document.pushItem(item);
              return true;
            });
        items.add(item);
      }
      for (int i = 0; i < 20; i++) {
        assertThat(memory.undoBlock(AGENT, "notes").done()).isTrue();
        items.removeLast();
      }
      assertThat(content(memory)).isEqualTo(new JsonArray(items));
    }
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      assertThat(content(memory)).isEqualTo(new JsonArray(items));
      assertThat(memory.redoBlock(AGENT, "notes").done()).isTrue();
      items.add(JsonValue.of(280));
      assertThat(content(memory)).isEqualTo(new JsonArray(items));
    }
  }

  private static JsonValue content(MemoryStore memory) {
    return memory.getSnapshot(AGENT, "notes").orElseThrow().value();
  }
}

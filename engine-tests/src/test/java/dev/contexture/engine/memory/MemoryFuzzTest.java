package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.seeds.TestSeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations through the store against a naive model: values, rendered text, versions and
 * depths are equal after every step, in the process that wrote and after loading anew. Replay with
 * {@code -Dcontexture.seed}.
 */
class MemoryFuzzTest extends MemoryTestBase {
  private static final int STEPS = 400;
  private static final int KEPT = 50;
  private static final int UNDO_STEPS = 100;

  /** A block as plain values, with all its states. */
  private static final class Model {
    final List<JsonValue> states = new ArrayList<>(); // by version
    final ArrayDeque<Integer> undo = new ArrayDeque<>();
    final ArrayDeque<Integer> redo = new ArrayDeque<>();

    Model(JsonValue empty) {
      states.add(empty);
    }

    JsonValue now() {
      return states.getLast();
    }

    void edit(JsonValue next) {
      if (!next.equals(now())) {
        states.add(next);
        undo.push(states.size() - 1);
        redo.clear();
        if (undo.size() > UNDO_STEPS) {
          undo.removeLast();
        }
      }
    }

    void undo() {
      int step = undo.pop();
      states.add(states.get(step - 1));
      redo.push(states.size() - 1);
    }

    void redo() {
      int step = redo.pop();
      states.add(states.get(step - 1));
      undo.push(states.size() - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void textIsWhatTheModelSays(long salt) {
    Random random = TestSeed.random(42 + salt);
    create(NOTES, MemoryPermission.READ_WRITE, "");
    Model model = new Model(new JsonString(""));
    MemoryStore mine = memory();
    for (int i = 0; i < STEPS; i++) {
      mine = random.nextInt(10) == 0 ? process() : mine; // a reload
      String now = ((JsonString) model.now()).value();
      int length = now.codePointCount(0, now.length());
      switch (random.nextInt(6)) {
        case 0 -> {
          String more = word(random);
          mine.appendToBlock(ATLAS, NOTES, more);
          model.edit(new JsonString(now + more));
        }
        case 1 -> {
          int at = random.nextInt(length + 1);
          int delete = random.nextInt(Math.min(5, length - at) + 1);
          String insert = random.nextBoolean() ? word(random) : "";
          mine.edit(
              ATLAS,
              NOTES,
              "",
              d -> {
                d.splice(at, delete, insert);
                return true;
              });
          int from = now.offsetByCodePoints(0, at);
          int to = now.offsetByCodePoints(from, delete);
          model.edit(new JsonString(now.substring(0, from) + insert + now.substring(to)));
        }
        case 2 -> {
          String text = length > 300 ? "" : word(random) + now;
          mine.updateBlockText(ATLAS, NOTES, text);
          model.edit(new JsonString(text));
        }
        case 3 -> {
          String find = Character.toString(word(random).codePointAt(0));
          mine.replaceInBlock(ATLAS, NOTES, find, "<>");
          int at = now.indexOf(find);
          String next = now.substring(0, Math.max(at, 0)) + "<>";
          model.edit(
              at < 0 ? model.now() : new JsonString(next + now.substring(at + find.length())));
        }
        case 4 -> step(mine, model, true);
        default -> step(mine, model, false);
      }
      check(mine, model, salt, i);
    }
  }

  private void step(MemoryStore mine, Model model, boolean undo) {
    if (undo) {
      boolean can = mine.undoDepth(ATLAS, NOTES) > 0;
      assertThat(mine.undoBlock(ATLAS, NOTES).done()).isEqualTo(can);
      if (can) {
        model.undo();
      }
    } else {
      boolean can = mine.redoDepth(ATLAS, NOTES) > 0;
      assertThat(mine.redoBlock(ATLAS, NOTES).done()).isEqualTo(can);
      if (can) {
        model.redo();
      }
    }
  }

  private void check(MemoryStore mine, Model model, long salt, int step) {
    for (MemoryStore each : List.of(mine, process())) {
      DocumentSnapshot snapshot = each.getSnapshot(ATLAS, NOTES).orElseThrow();
      assertThat(snapshot.value()).as("salt %d, step %d", salt, step).isEqualTo(model.now());
      assertThat(each.getRenderedContent(ATLAS, NOTES)).contains(snapshot.render());
      assertThat(snapshot.version()).isEqualTo(model.states.size() - 1);
      assertThat(each.undoDepth(ATLAS, NOTES))
          .as("salt %d, step %d", salt, step)
          .isEqualTo(model.undo.size());
      assertThat(each.redoDepth(ATLAS, NOTES)).isEqualTo(model.redo.size());
      int past = Math.max(0, model.states.size() - 1 - KEPT / 2);
      assertThat(each.getBlockAt(ATLAS, NOTES, past).orElseThrow().value())
          .isEqualTo(model.states.get(past));
    }
  }

  private static String word(Random random) {
    String[] words = {"a", "be", "世界", "😀x", "line\n", "end "};
    return words[random.nextInt(words.length)];
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void listsAndMapsAreWhatTheModelSays(long salt) {
    Random random = TestSeed.random(42 + salt);
    memory()
        .createBlock(
            ATLAS,
            text("list").schema(BlockSchema.fromJson(JsonValue.parse("{\"kind\":\"list\"}"))));
    memory()
        .createBlock(
            ATLAS,
            text("map")
                .schema(
                    BlockSchema.fromJson(
                        JsonValue.parse(
                            "{\"kind\":\"map\",\"fields\":[{\"name\":\"t\",\"type\":\"text\"},"
                                + "{\"name\":\"n\",\"type\":\"counter\"},"
                                + "{\"name\":\"l\",\"type\":\"list\"}]}"))));
    List<JsonValue> items = new ArrayList<>();
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    long counter = 0;
    MemoryStore mine = memory();
    for (int i = 0; i < 150; i++) {
      mine = random.nextInt(8) == 0 ? process() : mine;
      JsonValue value = JsonValue.of("v" + i);
      int at = random.nextInt(items.size() + 1);
      if (items.isEmpty() || random.nextInt(3) > 0) {
        mine.edit(
            ATLAS,
            "list",
            "",
            d -> {
              d.insertItem(at, value);
              return true;
            });
        items.add(at, value);
      } else {
        int index = Math.min(at, items.size() - 1);
        mine.edit(
            ATLAS,
            "list",
            "",
            d -> {
              d.deleteItem(index);
              return true;
            });
        items.remove(index);
      }
      int by = random.nextInt(9) - 4;
      counter += by;
      mine.edit(
          ATLAS,
          "map",
          "",
          d -> {
            d.setField("t", value);
            d.incrementCounter("n", by);
            d.appendToListField("l", value);
            return true;
          });
      fields.put("t", value);
      fields.put("n", JsonValue.of(counter));
      fields.merge("l", new JsonArray(List.of(value)), MemoryFuzzTest::joined);
      for (MemoryStore each : List.of(mine, process())) {
        assertThat(each.getSnapshot(ATLAS, "list").orElseThrow().value())
            .isEqualTo(new JsonArray(items));
        assertThat(each.getSnapshot(ATLAS, "map").orElseThrow().value())
            .isEqualTo(new JsonObject(fields));
      }
    }
  }

  private static JsonValue joined(JsonValue known, JsonValue more) {
    List<JsonValue> all = new ArrayList<>(((JsonArray) known).items());
    all.addAll(((JsonArray) more).items());
    return new JsonArray(all);
  }
}

package dev.contexture.cli.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.MemoryOp;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The operations turn the one value into the other, and touch nothing else. */
class MemoryChangesTest {
  private static final String LIST = "{\"kind\":\"list\"}";
  private static final String COMPOSITE =
      "{\"kind\":\"composite\",\"sections\":[{\"name\":\"a\",\"schema\":{\"kind\":\"text\"}},"
          + "{\"name\":\"b\",\"schema\":{\"kind\":\"list\"}}]}";
  private static final String LOG =
      "{\"kind\":\"log\",\"display_limit\":5,\"entry_schema\":{\"timestamp\":false,"
          + "\"agent_id\":false,\"fields\":[{\"name\":\"t\",\"type\":\"text\"}]}}";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1,2,3] | [1,2,3,4,5]",
        "[1,2,3] | [1,9,3]",
        "[1,2,3] | [1,3]",
        "[1,2,3,4,5] | [5]",
        "[1,2,3] | [1,8,2,3]",
        "[1,2,3] | [7,8,9,1,2,3]",
        "[1,2,3] | [3,2,1]",
        "[1,2,3] | []",
        "[] | [1,2]",
        "[1,1,1] | [1,1]",
      })
  void changesLists(String before, String after) {
    assertThat(applied(LIST, before, after)).isEqualTo(JsonValue.parse(after));
  }

  @Test
  void changesSections() {
    String before = "{\"a\":\"x\",\"b\":[1,2]}";
    String after = "{\"a\":\"y\",\"b\":[1,2,3]}";
    assertThat(applied(COMPOSITE, before, after)).isEqualTo(JsonValue.parse(after));
    assertThat(changes(COMPOSITE, before, "{\"a\":\"y\",\"b\":[1,2]}")).hasSize(1);
    assertThatThrownBy(() -> changes(COMPOSITE, before, "{\"a\":\"y\"}"))
        .hasMessageContaining("the section");
    assertThatThrownBy(() -> changes(COMPOSITE, before, "{\"a\":\"x\",\"b\":[],\"c\":1}"))
        .hasMessageContaining("the sections a, b");
  }

  @Test
  void onlyAppendsToLogs() {
    String before = "[{\"t\":\"one\"}]";
    assertThat(changes(LOG, before, "[{\"t\":\"one\"},{\"t\":\"two\"}]"))
        .containsExactly(
            (JsonObject)
                JsonValue.parse("{\"op\":\"append_log_entry\",\"entry\":{\"t\":\"two\"}}"));
    assertThatThrownBy(() -> changes(LOG, before, "[]")).hasMessageContaining("stays");
  }

  private static List<JsonObject> changes(String schema, String before, String after) {
    return MemoryChanges.between(
        (JsonObject) JsonValue.parse(schema), JsonValue.parse(before), JsonValue.parse(after));
  }

  private JsonValue applied(String schema, String before, String after) {
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(Scope.of("t", "p"));
      memory.createBlock(
          "a",
          BlockSpec.of("l", MemoryBlockType.CORE)
              .schema(BlockSchema.fromJson(JsonValue.parse(schema)))
              .content(JsonValue.parse(before)));
      long seen = memory.getSnapshot("a", "l").orElseThrow().version();
      List<JsonObject> ops = changes(schema, before, after);
      memory.edit(
          "a",
          "l",
          "",
          document -> {
            ops.forEach(op -> MemoryOp.fromJson(op).apply(document, seen));
            return true;
          });
      return memory.getSnapshot("a", "l").orElseThrow().value();
    }
  }
}

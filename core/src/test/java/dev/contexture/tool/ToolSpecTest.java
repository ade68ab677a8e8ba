package dev.contexture.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas without references, M-98. */
class ToolSpecTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // a definition, used twice
        "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"},\"b\":{\"$ref\":\"#/$defs/x\"}},\"$defs\":{\"x\":{\"type\":\"string\"}}}"
            + "|{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}}}",
        // one that refers to another, members beside it
        "{\"properties\":{\"a\":{\"$ref\":\"#/definitions/x\",\"description\":\"mine\"}},\"definitions\":{\"x\":{\"description\":\"its\",\"items\":{\"$ref\":\"#/definitions/y\"}},\"y\":{\"type\":\"number\"}}}"
            + "|{\"properties\":{\"a\":{\"description\":\"mine\",\"items\":{\"type\":\"number\"}}}}",
        // a part of the schema itself, escaped name, inside arrays
        "{\"properties\":{\"a/b\":{\"type\":\"null\"},\"c\":{\"anyOf\":[{\"$ref\":\"#/properties/a~1b\"},true]}}}"
            + "|{\"properties\":{\"a/b\":{\"type\":\"null\"},\"c\":{\"anyOf\":[{\"type\":\"null\"},true]}}}",
        // values and property names are no references
        "{\"properties\":{\"$ref\":{\"type\":\"string\"},\"d\":{\"default\":{\"$ref\":\"#/nowhere\"}}}}"
            + "|{\"properties\":{\"$ref\":{\"type\":\"string\"},\"d\":{\"default\":{\"$ref\":\"#/nowhere\"}}}}"
      })
  void replacesReferencesInPlace(String schema, String inlined) {
    assertThat(ToolSpec.of("t", "", schema).parameters().toJson()).isEqualTo(inlined);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\":\"#\"}",
        "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"}},\"$defs\":{\"x\":{\"items\":{\"$ref\":\"#/$defs/x\"}}}}",
        "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"}},\"$defs\":{\"x\":{\"$ref\":\"#/$defs/y\"},\"y\":{\"$ref\":\"#/$defs/x\"}}}",
        "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/gone\"}}}",
        "{\"properties\":{\"a\":{\"$ref\":\"https://example.org/x.json\"}}}",
        "{\"properties\":{\"a\":{\"$ref\":\"#/properties/b/type\"},\"b\":{\"type\":\"string\"}}}",
        "{\"type\":\"string\"}",
        "[]"
      })
  void refusesWhatIsNoSchemaOfAnObjectOrCannotBeReplaced(String schema) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> ToolSpec.of("t", "", schema))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TOOL_SCHEMA_INVALID))
        .withMessageContaining(" t");
  }

  @Test
  void boundsWhatReferencesGrowTo() {
    StringBuilder schema =
        new StringBuilder("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{");
    for (int i = 0; i < 40; i++) {
      String next = "{\"$ref\":\"#/$defs/d" + (i + 1) + "\"}";
      schema
          .append("\"d")
          .append(i)
          .append("\":{\"anyOf\":[")
          .append(next)
          .append(',')
          .append(next);
      schema.append("]},");
    }
    schema.append("\"d40\":{\"type\":\"string\"}}}");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> ToolSpec.of("t", "", schema.toString()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TOOL_SCHEMA_INVALID));
  }

  @Test
  void narrowsTheOperations() {
    ToolSpec file =
        ToolSpec.of(
            "file",
            "Files.",
            "{\"type\":\"object\",\"properties\":{\"op\":{\"type\":\"string\",\"enum\":[\"list\",\"load\",\"drop\"]},\"path\":{}}}");
    assertThat(file.operations()).containsExactly("list", "load", "drop");
    ToolSpec narrowed = file.narrowedTo(List.of("load", "list"));
    assertThat(narrowed.parameters().toJson())
        .isEqualTo(
            "{\"type\":\"object\",\"properties\":{\"op\":{\"type\":\"string\",\"enum\":[\"list\",\"load\"]},\"path\":{}}}");
    assertThat(ToolSpec.of("x", "", "{}").operations()).isEmpty();
  }
}

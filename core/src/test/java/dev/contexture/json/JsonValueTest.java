package dev.contexture.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {
  @Nested
  class Parse {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "{\"b\":1,\"a\":2}",
          "[1.10,-0,1E+2,0.0,123456789012345678901234567890]",
          "\"Grüße 😀 \\u0001\\\"\\\\\"",
          "{}",
          "[]",
          "null",
          "[true,false,null,[[]],{\"x\":{}}]"
        })
    void keepsKeyOrderNumberTextAndUnicode(String text) {
      assertThat(JsonValue.parse(text).toJson()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"", " ", "{", "[1,]", "{\"a\":1} x", "nul", "01", "+1", "NaN", "'a'", "\"\n\""})
    void refusesWhatIsNotOneValue(String text) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> JsonValue.parse(text))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_JSON));
    }

    @Test
    void refusesDepthAboveTheLimitAndNamesBoth() {
      JsonLimits limits = new JsonLimits(1_000, 3);
      assertThat(JsonValue.parse("[[[1]]]", limits).toJson()).isEqualTo("[[[1]]]");
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> JsonValue.parse("[[[[1]]]]", limits))
          .withMessageContaining("4 levels")
          .withMessageContaining("at most 3");
    }

    @Test
    void refusesMoreValuesThanTheLimit() {
      JsonLimits limits = new JsonLimits(1_000, 3, 4);
      assertThat(JsonValue.parse("[1,{\"a\":[]}]", limits).toJson()).isEqualTo("[1,{\"a\":[]}]");
      assertThatThrownBy(() -> JsonValue.parse("[1,{\"a\":[]},2]", limits))
          .hasMessageContaining("json has 5 values")
          .hasMessageContaining("at most 4");
    }

    @Test
    void refusesSizeAboveTheLimit() {
      JsonLimits limits = new JsonLimits(4, 3);
      assertThat(JsonValue.parse("1234", limits)).isEqualTo(JsonValue.of(1234));
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> JsonValue.parse("12345", limits))
          .satisfies(e -> assertThat(e.details()).containsEntry("limit", 4L));
    }

    @Test
    void keepsTheLastValueOfARepeatedKeyInItsFirstPlace() {
      assertThat(JsonValue.parse("{\"a\":1,\"b\":2,\"a\":3}").toJson())
          .isEqualTo("{\"a\":3,\"b\":2}");
    }

    @Test
    void keepsHalfASurrogatePairAsAnEscape() {
      assertThat(JsonValue.parse("\"\\ud83d x\"").toJson()).isEqualTo("\"\\ud83d x\"");
    }
  }

  @Nested
  class Print {
    @Test
    void indentsByTwoSpaces() {
      JsonValue value = JsonValue.parse("{\"a\":[1,{\"b\":\"ü\"}],\"e\":{},\"f\":[]}");
      assertThat(value.toPrettyJson())
          .isEqualTo(
              """
              {
                "a": [
                  1,
                  {
                    "b": "ü"
                  }
                ],
                "e": {},
                "f": []
              }\
              """);
    }
  }

  @Nested
  class Build {
    @Test
    void changesNoObjectThatWasBuiltBefore() {
      JsonObject.Builder builder = JsonObject.builder().put("a", 1);
      JsonObject first = builder.build();
      JsonObject second = builder.put("a", 2).putAll(JsonObject.of("b", JsonValue.of(3))).build();

      assertThat(first.toJson()).isEqualTo("{\"a\":1}");
      assertThat(second.toJson()).isEqualTo("{\"a\":2,\"b\":3}");
      assertThat(second.without("a").toJson()).isEqualTo("{\"b\":3}");
      assertThat(second.toJson()).isEqualTo("{\"a\":2,\"b\":3}");
    }

    @Test
    void givesMembersThatNobodyCanChange() {
      JsonObject object = JsonObject.builder().put("a", 1).build();

      assertThatThrownBy(() -> object.members().put("b", JsonNull.NULL))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> object.members().remove("a"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(
              () -> object.members().entrySet().iterator().next().setValue(JsonNull.NULL))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(object).isEqualTo(new JsonObject(Map.of("a", JsonValue.of(1))));
    }
  }

  @Nested
  class Numbers {
    @Test
    void givesWholeValuesHoweverSpelled() {
      assertThat(new JsonNumber("1e3").asLong()).hasValue(1000);
      assertThat(new JsonNumber("2.0").asLong()).hasValue(2);
      assertThat(new JsonNumber("2.5").asLong()).isEmpty();
      assertThat(new JsonNumber("1e999999999").asLong()).isEmpty();
      assertThat(new JsonNumber("9223372036854775808").asLong()).isEmpty();
    }
  }
}

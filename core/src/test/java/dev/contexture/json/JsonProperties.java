package dev.contexture.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class JsonProperties {
  @Property
  void printingThenParsingGivesTheSameText(@ForAll("values") JsonValue value) {
    assertThat(JsonValue.parse(value.toJson()).toJson()).isEqualTo(value.toJson());
    assertThat(JsonValue.parse(value.toPrettyJson())).isEqualTo(value);
  }

  @Property
  void takesAsNumbersWhatTheGrammarOfJsonTakes(@ForAll("almostNumbers") String text) {
    boolean number = Pattern.matches("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", text);

    if (number) {
      assertThat(new JsonNumber(text).text()).isEqualTo(text);
    } else {
      assertThatThrownBy(() -> new JsonNumber(text)).isInstanceOf(ContextureException.class);
    }
  }

  @Provide
  Arbitrary<String> almostNumbers() {
    return Arbitraries.strings().withChars("--+..eE00123x ").ofMaxLength(8);
  }

  @Provide
  Arbitrary<JsonValue> values() {
    return values(4);
  }

  private Arbitrary<JsonValue> values(int depth) {
    Arbitrary<JsonValue> scalars =
        Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(12).map(JsonString::new),
            Arbitraries.bigDecimals().map(n -> new JsonNumber(n.toString())),
            Arbitraries.of(JsonBoolean.TRUE, JsonBoolean.FALSE),
            Arbitraries.just(JsonNull.NULL));
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<JsonValue> inner = Arbitraries.lazy(() -> values(depth - 1));
    return Arbitraries.oneOf(
        scalars,
        inner.list().ofMaxSize(4).map(JsonArray::new),
        Arbitraries.maps(Arbitraries.strings().ofMaxLength(6), inner)
            .ofMaxSize(4)
            .map(JsonObject::new));
  }
}

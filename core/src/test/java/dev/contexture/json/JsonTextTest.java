package dev.contexture.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  /** P-4: key order, number text and escapes stay. */
  @Test
  void removesWhiteSpaceOutsideStringsOnly() {
    assertThat(JsonText.minify("{ \"b \\\" \" :\t1.50 ,\n \"a\": [ 1e2, \"\\u0041 x\" ] }\r\n"))
        .isEqualTo("{\"b \\\" \":1.50,\"a\":[1e2,\"\\u0041 x\"]}");
    assertThat(JsonText.minify("{}")).isEqualTo("{}");
    assertThat(JsonText.minify("\"a\\\\\" ")).isEqualTo("\"a\\\\\"");
  }

  @Test
  void cutsOutAMemberAsSpelled() {
    String object = "{ \"x\" : {\"a\": \"}\", \"b\":[1, {} ]} , \"n\":-1.0e5, \"\\u0073\": \"v\" }";
    assertThat(JsonText.member(object, "x")).contains("{\"a\": \"}\", \"b\":[1, {} ]}");
    assertThat(JsonText.member(object, "n")).contains("-1.0e5");
    assertThat(JsonText.member(object, "s")).contains("\"v\"");
    assertThat(JsonText.member(object, "a")).isEmpty();
    assertThat(JsonText.member("{}", "a")).isEmpty();
    assertThat(JsonText.member("{\"a\":1,\"a\":2}", "a")).contains("2");
  }

  @Test
  void cutsOutItemsAsSpelled() {
    assertThat(JsonText.items(" [ 1 , \"a,]\" ,[2, 3],{\"x\": null} ] "))
        .isEqualTo(List.of("1", "\"a,]\"", "[2, 3]", "{\"x\": null}"));
    assertThat(JsonText.items("[]")).isEmpty();
  }

  @Test
  void tellsObjectsFromTheRest() {
    assertThat(JsonText.isObject(" {\"a\":1}\n")).isTrue();
    assertThat(JsonText.isObject("[]")).isFalse();
    assertThat(JsonText.isObject("{")).isFalse();
    assertThat(JsonText.isObject("")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":\"x", "{\"a\":[1", "{a:1}"})
  void refusesTextThatIsNoObject(String text) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> JsonText.member(text, "a"));
  }
}

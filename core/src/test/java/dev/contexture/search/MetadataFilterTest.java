package dev.contexture.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataFilterTest {
  private static MetadataFilter filter(String json) {
    return new MetadataFilter((JsonObject) JsonValue.parse(json.replace('\'', '"')));
  }

  private static JsonValue value(String json) {
    return JsonValue.parse(json.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1}|{'a':1,'b':2}|true",
        "{'a':1.0}|{'a':1}|true",
        "{'a':10}|{'a':1e1}|true",
        "{'a':1e999999}|{'a':1e999999}|true",
        "{'a':1}|{'a':'1'}|false",
        "{'a':'true'}|{'a':true}|false",
        "{'a':null}|{'a':null}|true",
        "{'a':null}|{'b':1}|false",
        "{'a':{'b':1}}|{'a':{'b':1,'c':2}}|true",
        "{'a':{'b':1}}|{'a':1}|false",
        "{'a':{}}|{'a':{'b':1}}|true",
        "{'a':{}}|{'a':1}|false",
        "{'a':'x'}|{'a':['x','y']}|true",
        "{'a':['y','x']}|{'a':['x','y','z']}|true",
        "{'a':['x','q']}|{'a':['x','y']}|false",
        "{'a':['x']}|{'a':'x'}|false",
        "{'a':1,'b':2}|{'a':1}|false",
        "{'a':1}|'text'|false",
        "{'a':1}|[{'a':1}]|false",
        "{}|'text'|true",
      })
  void acceptsMetadataThatHoldsWhatIsAskedFor(String wanted, String has, boolean accepted) {
    MetadataFilter filter = filter(wanted);
    assertThat(filter.accepts(value(has))).isEqualTo(accepted);
    if (accepted) { // else an index would not find what the filter accepts
      assertThat(MetadataFilter.tags(value(has))).containsAll(filter.tags());
    }
  }

  @Test
  void entriesWithoutMetadataAreAcceptedByNoFilterButTheEmptyOne() {
    assertThat(MetadataFilter.NONE.accepts(null)).isTrue();
    assertThat(filter("{'a':1}").accepts(null)).isFalse();
    assertThat(filter("{'a':{}}").accepts(null)).isFalse();
  }

  @Test
  void metadataWithVeryManyValuesIsACandidateOfEveryFilter() {
    String many =
        IntStream.range(0, 300).mapToObj(n -> "'k" + n + "':1").collect(Collectors.joining(","));
    assertThat(MetadataFilter.tags(value("{" + many + "}"))).containsExactly(MetadataFilter.ANY);
    assertThat(filter("{'k299':1}").accepts(value("{" + many + "}"))).isTrue();
  }

  @Test
  void longValuesHaveShortTags() {
    MetadataFilter filter = filter("{'a':'" + "x".repeat(50_000) + "'}");
    assertThat(filter.tags()).allMatch(tag -> tag.length() < 200);
    assertThat(filter.accepts(filter.members())).isTrue();
    assertThat(filter.accepts(value("{'a':'" + "x".repeat(49_999) + "'}"))).isFalse();
  }

  @Test
  void tooManyValuesAndLevelsAreRefused() {
    String many =
        IntStream.range(0, 33).mapToObj(n -> "'k" + n + "':1").collect(Collectors.joining(","));
    String deep = "{'a':".repeat(33) + "1" + "}".repeat(33);
    for (String bad : new String[] {"{" + many + "}", deep}) {
      assertThatThrownBy(() -> filter(bad))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
          .hasMessageContaining("metadata");
    }
  }
}

package dev.contexture.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of V1: times, call ids, selectors, scope parts, base64 lengths. */
class ValueTest {
  @Nested
  class Times {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "1770603272 | 2026-02-09T02:14:32Z",
          "'\"1770603272\"' | 2026-02-09T02:14:32Z",
          "1770603272676 | 2026-02-09T02:14:32.676Z",
          "'\"1770603272676\"' | 2026-02-09T02:14:32.676Z",
          "1770603272.5 | 2026-02-09T02:14:32.500Z",
          "1000000000000 | +33658-09-27T01:46:40Z",
          "1000000000001 | 2001-09-09T01:46:40.001Z",
          "-1 | 1969-12-31T23:59:59Z",
          "'\"2026-02-09T03:14:32.5+01:00\"' | 2026-02-09T02:14:32.500Z",
          "'\"2026-02-09T02:14:32\"' | 2026-02-09T02:14:32Z",
          "'\"2026-02-09T02:14:32.676425Z\"' | 2026-02-09T02:14:32.676425Z",
          "'\"2026-02-09T02:14:32.000000001Z\"' | 2026-02-09T02:14:32.000000001Z"
        })
    void areReadAndWrittenInOneForm(String wire, String written) {
      // T-9, V1
      assertThat(Timestamps.read(JsonValue.parse(wire))).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "\"soon\"",
          "\"\"",
          "\"2026-02-09\"",
          "\"2026-13-09T02:14:32Z\"",
          "true",
          "{}",
          "1e400",
          "99999999999999999999999999",
          "9223372036854775808",
          "\"+100000-01-01T00:00:00Z\"",
          "-62167219201"
        })
    void thatCannotBeReadAreRefused(String wire) {
      // T-9, V1
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> Timestamps.read(JsonValue.parse(wire)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TS))
          .satisfies(e -> assertThat(e.field()).hasValue("ts"));
      assertThat(Timestamps.tryRead(JsonValue.parse(wire))).isEmpty();
    }
  }

  @Nested
  class CallIds {
    private static final String SIXTY_ONE = "x".repeat(61);

    @Test
    void ofTheEnginesFormStayAsTheyAre() {
      // T-5
      assertThat(CallId.of("tc_9").value()).isEqualTo("tc_9");
      assertThat(CallId.of("tc_" + SIXTY_ONE).value()).isEqualTo("tc_" + SIXTY_ONE);
    }

    @Test
    void ofAProviderGetThePrefixOrAHash() {
      // T-5, V1
      assertThat(CallId.of("toolu_01A").value()).isEqualTo("tc_toolu_01A");
      assertThat(CallId.of(SIXTY_ONE).value()).isEqualTo("tc_" + SIXTY_ONE);
      assertThat(CallId.of("call|1").value()).matches("tc_[0-9a-f]{12}");
      assertThat(CallId.of(SIXTY_ONE + "x").value()).matches("tc_[0-9a-f]{12}");
      assertThat(CallId.of("abc def").value()).isEqualTo("tc_" + hash("abc def"));
    }

    private static String hash(String id) {
      return Binary.of(id.getBytes(StandardCharsets.UTF_8)).sha256().substring(0, 12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tc_", "x", "tc_a.b", "tc_ä"})
    void ofAnotherFormAreNoEngineIds(String id) {
      // T-5
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> new CallId(id))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CALL_ID));
    }

    @Test
    void keepTheOriginalBesideThem() {
      // T-5: both ids
      Block block =
          Block.builder(BlockType.REACT_TOOL_CALL)
              .turn(TurnId.of("t1"))
              .toolCallId("toolu_01A")
              .build();
      assertThat(block.toolCallId()).hasValue(new CallId("tc_toolu_01A"));
      assertThat(block.meta().string("provider_call_id")).hasValue("toolu_01A");
    }
  }

  @Nested
  class Selectors {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "so:sources_pool[1,3-5,9-7,x] | 1,3,4,5,7,8,9",
          "so:sources_pool[x] | ''",
          "so:sources_pool[] | ''",
          "so:sources_pool[ 2 , 4 - 5 ] | 2,4,5",
          "so:sources_pool[5,5,4-6] | 4,5,6",
          "so:sources_pool[1-999999999999999999999999] | 1,2,3,4,5,6,7,8,9",
          "so:sources_pool[-1,1-,a-3] | ''"
        })
    void chooseRowsOfThePool(String path, String sids) {
      // T-15, V1
      SourceSelector selector = BlockPath.parse(path).selector();
      List<String> chosen =
          LongStream.rangeClosed(1, 9).filter(selector::selects).mapToObj(Long::toString).toList();
      assertThat(String.join(",", chosen)).isEqualTo(sids);
    }
  }

  @Nested
  class ScopeParts {
    @ParameterizedTest
    @ValueSource(strings = {".", "..", "a b", "ä", "a/b", "a\n"})
    void thatAreMalformedAreRefused(String part) {
      // T-1, V1
      for (var scope : scopesWith(part)) {
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(scope::run)
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SCOPE));
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void thatAreMissingAreRefused(String part) {
      // T-2
      for (var scope : scopesWith(part)) {
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(scope::run)
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SCOPE_REQUIRED));
      }
    }

    @Test
    void mayHoldDotsAndAreBoundedInLength() {
      // T-1, V1
      String longest = "a".repeat(128);
      var conversation = Scope.of("a..b", "p@:+-_").user(longest).conversation("...");
      assertThat(conversation.user()).isEqualTo(longest);
      assertThat(conversation.tenant()).isEqualTo("a..b");
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> Scope.of(longest + "a", "p"));
    }

    private static List<Runnable> scopesWith(String part) {
      return List.of(
          () -> Scope.of(part, "p"),
          () -> Scope.of("t", part),
          () -> Scope.of("t", "p").user(part),
          () -> Scope.of("t", "p").user("u").conversation(part),
          () -> Scope.of("t", "p").agent(part));
    }
  }

  @Nested
  class TurnIds {
    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a b", "ä"})
    void neverHoldADot(String id) {
      // T-4
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> TurnId.of(id))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TURN_ID));
    }

    @Test
    void areAtMost128Characters() {
      // T-4, T-100
      assertThat(TurnId.of("a".repeat(128)).value()).hasSize(128);
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> TurnId.of("a".repeat(129)));
    }
  }

  @Nested
  class Base64 {
    @ParameterizedTest
    @CsvSource({"137956, 183942", "0, 0", "1, 2", "2, 3", "3, 4", "4, 6"})
    void hasThisLengthWithoutPadding(int bytes, long chars) {
      // T-35, V1
      assertThat(Binary.of(new byte[bytes]).base64Chars()).isEqualTo(chars);
    }

    @Test
    void isReadWithAndWithoutPaddingAndWrittenWithIt() {
      // T-6
      assertThat(Binary.ofBase64("AQ").base64()).isEqualTo("AQ==");
      assertThat(Binary.ofBase64("AQ==")).isEqualTo(Binary.of(new byte[] {1}));
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> Binary.ofBase64("A*"))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_DATA));
    }
  }
}

package dev.contexture.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every limit: at it accepted, one above refused with code, limit and actual value (T-100). */
class LimitsTest {
  private static final Limits LIMITS = Limits.DEFAULT;

  private interface Sized {
    void check(int size);
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        row(ErrorCode.TEXT_TOO_LARGE, 1 << 20, n -> check(block().text("x".repeat(n)))),
        row(ErrorCode.DATA_TOO_LARGE, 10 << 20, n -> check(block().data(Binary.of(new byte[n])))),
        row(
            ErrorCode.META_TOO_LARGE,
            64 << 10,
            n -> check(block().meta("k", JsonValue.of("x".repeat(n - 8))))),
        row(ErrorCode.META_TOO_LARGE, 16, n -> check(block().meta("k", nested(n - 1)))),
        row(ErrorCode.REPLACEMENT_TOO_LONG, 4_000, n -> check(block().hidden("😀".repeat(n)))),
        row(ErrorCode.TOO_MANY_BLOCKS, 256, n -> LIMITS.checkBatch(Collections.nCopies(n, "x"))),
        row(ErrorCode.TURN_FULL, 10_000, n -> LIMITS.checkTurn(TurnId.of("t1"), n)),
        row(
            ErrorCode.ANNOUNCE_TOO_LARGE,
            16,
            n -> LIMITS.checkAnnounce(Collections.nCopies(n, block().build()))),
        row(
            ErrorCode.ANNOUNCE_TOO_LARGE,
            32 << 10,
            n -> LIMITS.checkAnnounce(List.of(block().text("x".repeat(n)).build()))),
        row(ErrorCode.SOURCES_TOO_MANY, 1_000, LIMITS::checkSources),
        row(ErrorCode.SOURCE_TOO_LARGE, 200_000, n -> LIMITS.checkSourceText("ü".repeat(n))));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void holdsExactly(ErrorCode code, int limit, Sized sized) {
    assertThatCode(() -> sized.check(limit)).doesNotThrowAnyException();
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> sized.check(limit + 1))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code))
        .satisfies(e -> assertThat(e.details()).containsEntry("limit", (long) limit))
        .satisfies(e -> assertThat(e.details()).containsEntry("actual", limit + 1L));
  }

  @Test
  void textIsMeasuredInUtf8() {
    // T-100: 1 MiB UTF-8
    String exact = "é".repeat(1 << 19);
    assertThatCode(() -> check(block().text(exact))).doesNotThrowAnyException();
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> check(block().text(exact + "x")));
  }

  @Test
  void namesAreBounded() {
    // T-100: type 64, author 64, id 128
    String name = "a".repeat(64);
    assertThat(BlockType.of(name).name()).isEqualTo(name);
    assertThat(Author.of(name).name()).isEqualTo(name);
    assertThat(block().id(name + name).build().id()).hasValue(name + name);
    assertRefused(ErrorCode.INVALID_TYPE, () -> BlockType.of(name + "a"));
    assertRefused(ErrorCode.INVALID_AUTHOR, () -> Author.of(name + "a"));
    assertRefused(ErrorCode.INVALID_ID, () -> block().id(name + name + "a"));
  }

  private static void assertRefused(ErrorCode code, Runnable action) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(action::run)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  private static void check(Block.Builder block) {
    LIMITS.check(block.build());
  }

  private static Arguments row(ErrorCode code, int limit, Sized sized) {
    return Arguments.of(code, limit, sized);
  }

  private static Block.Builder block() {
    return Block.builder(BlockType.AGENT_BLOCK).turn(TurnId.of("t1"));
  }

  private static JsonValue nested(int depth) {
    JsonValue value = JsonValue.of("x");
    for (int i = 0; i < depth; i++) {
      value = JsonArray.of(value);
    }
    return value;
  }
}

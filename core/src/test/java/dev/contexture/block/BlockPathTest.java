package dev.contexture.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockPathTest {
  @Nested
  class Parse {
    @ParameterizedTest
    @CsvSource({
      "ar:t1.user.prompt, ARTIFACT",
      "ar:t1.x, ARTIFACT",
      "fi:t1.user.attachments/a b.pdf, ATTACHMENT",
      "fi:t1.files/dir/ü.txt, FILE",
      "fi:t1.code.tc_1, CODE",
      "tc:t1.tc_1.call, CALL",
      "tc:t1.tc_1.result, RESULT",
      "tc:t1.tool_calls.tc_1.notice.json, NOTICE",
      "so:sources_pool[x], SOURCES",
      "su:t1.conv.range.summary, SUMMARY",
      "sk:public/a.b-c_d, SKILL"
    })
    void takesEveryFormAndPrintsItBack(String text, BlockPath.Kind kind) {
      // T-13
      BlockPath path = BlockPath.parse(text);
      assertThat(path).hasToString(text);
      assertThat(path.kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
      "tc:turn_1.tc_9.notice, tc:turn_1.tool_calls.tc_9.notice.json",
      "tc:turn_1.tool_calls.tc_9.notice, tc:turn_1.tool_calls.tc_9.notice.json",
      "tc:turn_1.tool_calls.tc_9.call.json, tc:turn_1.tc_9.call",
      "tc:turn_1.tool_calls.tc_9.result, tc:turn_1.tc_9.result"
    })
    void writesOneFormOfEachToolPath(String other, String canonical) {
      // T-14, V1
      BlockPath path = BlockPath.parse(other);
      assertThat(path.text()).isEqualTo(canonical);
      assertThat(path).isEqualTo(BlockPath.parse(canonical));
      assertThat(path).hasSameHashCodeAs(BlockPath.parse(canonical));
      assertThat(path.callId()).hasValue(new CallId("tc_9"));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "ar",
          "ar:",
          "ar:t1",
          "ar:t1.",
          "ar:t1..x",
          "ar:t1.x.",
          "ar:.x",
          "ar:t 1.x",
          "ar:t1.x y",
          " ar:t1.x",
          "ar:t1.x ",
          "AR:t1.x",
          "xx:t1.x",
          "fi:t1",
          "fi:t1.files/",
          "fi:t1.files/a//b",
          "fi:t1.files/a/",
          "fi:t1.other/a",
          "fi:t1.user.attachments/",
          "fi:t1.user.attachments/a/b",
          "fi:t1.code.",
          "fi:t1.code.x",
          "tc:t1.tc_1",
          "tc:t1.tc_1.other",
          "tc:t1.tc_1.call.json",
          "tc:t1.x.call",
          "tc:t1.tool_calls.x.call",
          "tc:t1.tool_calls.tc_1.notice.xml",
          "so:sources_pool",
          "so:sources_pool[1",
          "so:sources_pool[1]]",
          "so:sources_pool[1]2",
          "so:other[1]",
          "su:t1",
          "su:t1.conv.range.summary.x",
          "sk:",
          "sk:a b"
        })
    void refusesJunk(String text) {
      // T-13
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> BlockPath.parse(text))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PATH))
          .satisfies(e -> assertThat(e.field()).hasValue("path"));
      assertThat(BlockPath.isValid(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "fi:t1.files/../a",
          "fi:t1.files/a/..",
          "fi:t1.files/./a",
          "fi:t1.files//a",
          "fi:t1.files/\\a",
          "fi:t1.files/a\\b",
          "fi:t1.files/a\u0000",
          "fi:t1.files/a\nb",
          "fi:t1.user.attachments/..",
          "fi:t1.user.attachments/../a",
          "fi:t1.user.attachments//a"
        })
    void refusesWhatWouldLeaveItsFolder(String text) {
      // T-16, V1
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> BlockPath.parse(text))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSAFE_PATH));
    }

    @Test
    void boundsTheLengthOfPathAndName() {
      // T-100
      String name = "é".repeat(127) + "a"; // 255 bytes
      assertThat(BlockPath.parse("fi:t1.files/" + name).lastSegment()).isEqualTo(name);
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> BlockPath.parse("fi:t1.files/" + name + "a"))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PATH))
          .satisfies(e -> assertThat(e.details()).containsEntry("limit", 255L))
          .satisfies(e -> assertThat(e.details()).containsEntry("actual", 256L));
      String longest = "ar:t1." + "x".repeat(1018);
      assertThat(BlockPath.parse(longest).text()).hasSize(1024);
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> BlockPath.parse(longest + "x"))
          .satisfies(e -> assertThat(e.details()).containsEntry("actual", 1025L));
    }

    @Test
    void findsTheCallOfCodeAndNotes() {
      // T-10
      assertThat(BlockPath.parse("fi:t1.code.tc_7").callId()).hasValue(new CallId("tc_7"));
      assertThat(BlockPath.parse("ar:t1.react.notes.tc_7").callId()).hasValue(new CallId("tc_7"));
      assertThat(BlockPath.parse("ar:t1.react.notes.x").callId()).isEmpty();
      assertThat(BlockPath.parse("ar:t1.other.tc_7").callId()).isEmpty();
    }
  }

  @Nested
  class Physical {
    @ParameterizedTest
    @CsvSource({
      "fi:t1.files/a/b.txt, t1/files/a/b.txt",
      "fi:t1.files/files/attachments/x, t1/files/files/attachments/x",
      "fi:t1.user.attachments/menu.pdf, t1/attachments/menu.pdf"
    })
    void isLosslessBothWays(String logical, String physical) {
      // T-16
      assertThat(BlockPath.parse(logical).physical()).hasValue(physical);
      assertThat(BlockPath.ofPhysical(physical)).hasToString(logical);
    }

    @ParameterizedTest
    @CsvSource({
      "/t1/files/a, UNSAFE_PATH",
      "t1/files/../a, UNSAFE_PATH",
      "t1\\files\\a, UNSAFE_PATH",
      "t1/other/a, INVALID_PATH",
      "t.1/files/a, INVALID_PATH",
      "files/a, INVALID_PATH",
      "t1/files/, INVALID_PATH"
    })
    void refusesOtherPlaces(String physical, ErrorCode code) {
      // T-16
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> BlockPath.ofPhysical(physical))
          .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
  }
}

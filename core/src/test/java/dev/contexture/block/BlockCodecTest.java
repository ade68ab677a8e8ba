package dev.contexture.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockCodecTest {
  private static final TurnId TURN = TurnId.of("t1");
  private static final Instant NOW = Instant.parse("2026-02-09T02:14:32Z");

  private static JsonObject json(String text) {
    return (JsonObject) JsonValue.parse(text);
  }

  private static Block contribute(String text) {
    return BlockCodec.readContribution(json(text)).build(TURN, NOW);
  }

  @Nested
  class Defaults {
    @Test
    void fillTypeAuthorTurnTimeAndMime() {
      // T-6
      assertThat(contribute("{}"))
          .hasToString(
              "{\"type\":\"agent.block\",\"author\":\"agent\",\"turn_id\":\"t1\","
                  + "\"ts\":\"2026-02-09T02:14:32Z\",\"mime\":\"text/markdown\"}");
      assertThat(contribute("{\"data\":\"AQ\"}").mime()).isEqualTo("application/octet-stream");
      assertThat(contribute("{\"data\":\"AQ\",\"text\":\"x\"}").mime()).isEqualTo("text/markdown");
    }
  }

  @Nested
  class Aliases {
    @Test
    void areReadAndTheCanonicalNamesWritten() {
      // T-7
      Block block =
          contribute(
              """
              {"kind":"stage.gate","role":"gate","turn":"t1","media_type":"a/b","base64":"AQ",
               "call_id":"tc_1"}
              """);
      assertThat(block)
          .hasToString(
              "{\"type\":\"stage.gate\",\"author\":\"gate\",\"turn_id\":\"t1\","
                  + "\"ts\":\"2026-02-09T02:14:32Z\",\"mime\":\"a/b\",\"data\":\"AQ==\","
                  + "\"tool_call_id\":\"tc_1\"}");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "{\"kind\":\"a\",\"type\":\"b\"} | b",
          "{\"type\":\"b\",\"kind\":\"a\"} | b",
          "{\"kind\":\"a\",\"type\":null} | a",
          "{\"type\":null,\"kind\":\"a\"} | a"
        })
    void giveWayToTheCanonicalName(String wire, String type) {
      // T-7
      assertThat(contribute(wire).type()).hasToString(type);
    }
  }

  @Nested
  class UnknownFields {
    @Test
    void andMetaComeBackUnchanged() {
      // T-8
      String wire =
          "{\"type\":\"x\",\"author\":\"agent\",\"turn_id\":\"t1\",\"ts\":\"2026-02-09T02:14:32Z\","
              + "\"mime\":\"text/markdown\",\"text\":\"\",\"meta\":{\"z\":1.10,\"a\":{\"b\":[null,"
              + "-0.0,1E+2]}},\"zeta\":1.10,\"alpha\":null,\"nested\":{\"y\":1,\"x\":[]}}";
      assertThat(contribute(wire)).hasToString(wire);
      assertThat(BlockCodec.readStored(json(wire))).hasToString(wire);
      assertThat(contribute(wire).toBuilder().build()).hasToString(wire);
    }

    @Test
    void ofErrorsAndReferencesComeBack() {
      // T-6
      Block block =
          contribute("{\"id\":\"k:1\",\"is_error\":true,\"meta\":{\"block_refs\":[\"m1\"]}}");
      assertThat(block.isError()).isTrue();
      assertThat(block.id()).hasValue("k:1");
      assertThat(block.meta().toJson()).isEqualTo("{\"block_refs\":[\"m1\"]}");
    }
  }

  @Nested
  class Hidden {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "{\"hidden\":true,\"replacement_text\":\"r\"} | true | r",
          "{\"meta\":{\"hidden\":true,\"replacement_text\":\"r\"}} | true | r",
          "{\"hidden\":true} | true | ''",
          "{\"hidden\":false,\"meta\":{\"hidden\":true}} | false | ''",
          "{\"replacement_text\":\"r\"} | false | ''"
        })
    void isReadFromFieldOrMeta(String wire, boolean hidden, String replacement) {
      // T-6
      Block block = contribute(wire);
      assertThat(block.hidden()).isEqualTo(hidden);
      assertThat(block.replacementText().orElse("")).isEqualTo(replacement);
    }
  }

  @Nested
  class StoredTime {
    @Test
    void thatCannotBeReadIsKept() {
      // T-9
      Block block = BlockCodec.readStored(json("{\"turn_id\":\"t1\",\"ts\":\"soon\"}"));
      assertThat(block.ts()).isEmpty();
      assertThat(block.meta().toJson()).isEqualTo("{\"ts_raw\":\"soon\"}");
      Block again = BlockCodec.readStored(BlockCodec.write(block));
      assertThat(again).isEqualTo(block);
    }
  }

  @Nested
  class Refusals {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "{\"ts\":\"soon\"} | INVALID_TS | ts",
          "{\"type\":\"Bad\"} | INVALID_TYPE | type",
          "{\"type\":\"a..b\"} | INVALID_TYPE | type",
          "{\"type\":7} | FIELD_TYPE | type",
          "{\"author\":\"\"} | INVALID_AUTHOR | author",
          "{\"turn_id\":\"a.b\"} | INVALID_TURN_ID | turn_id",
          "{\"id\":\"a b\"} | INVALID_ID | id",
          "{\"path\":\"nope\"} | INVALID_PATH | path",
          "{\"path\":\"fi:t1.files/../a\"} | UNSAFE_PATH | path",
          "{\"data\":\"A*\"} | INVALID_DATA | data",
          "{\"mime\":\"\"} | INVALID_MIME | mime",
          "{\"meta\":[]} | FIELD_TYPE | meta",
          "{\"is_error\":\"yes\"} | FIELD_TYPE | is_error",
          "{\"tool_call_id\":\"\"} | INVALID_CALL_ID | tool_call_id"
        })
    void nameTheField(String wire, ErrorCode code, String field) {
      // T-6, T-9, T-13, T-100
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> contribute(wire))
          .satisfies(e -> assertThat(e.code()).isEqualTo(code))
          .satisfies(e -> assertThat(e.field()).hasValue(field))
          .satisfies(e -> assertThat(e.details()).containsKeys("actual", "allowed"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "\"feed\"", "[1]", "{}"})
  void memoryBlocksThatAreNotNamedByStringsAreRefused(String references) { // M-92
    String wire = "{\"turn_id\":\"t1\",\"meta\":{\"block_refs\":" + references + "}}";
    assertThatThrownBy(() -> contribute(wire))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.FIELD_TYPE));
    assertThat(BlockCodec.readStored(json(wire)).meta().has("block_refs")).isTrue();
  }
}

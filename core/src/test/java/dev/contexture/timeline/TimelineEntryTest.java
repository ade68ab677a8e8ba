package dev.contexture.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.CallId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a block's call id and tool id are found (T-10). */
class TimelineEntryTest {
  private static TimelineEntry entry(String fields) {
    JsonObject wire = (JsonObject) JsonValue.parse("{\"turn_id\":\"t1\"," + fields + "}");
    Block block = BlockCodec.readContribution(wire).build();
    return TimelineEntry.stored(1, block);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"tool_call_id\":\"tc_1\",\"meta\":{\"tool_call_id\":\"tc_2\"}' | tc_1",
        "'\"meta\":{\"tool_call_id\":\"tc_2\"},\"path\":\"tc:t1.tc_4.call\"' | tc_2",
        "'\"type\":\"react.note\",\"text\":\"{\\\"tool_call_id\\\":\\\"tc_3\\\"}\"' | tc_3",
        "'\"type\":\"react.note\",\"meta\":{\"tool_call_id\":\"\"},"
            + "\"text\":\"{\\\"tool_call_id\\\":\\\"tc_3\\\"}\"' | tc_3",
        "'\"path\":\"tc:t1.tc_4.call\"' | tc_4",
        "'\"path\":\"fi:t1.code.tc_5\"' | tc_5",
        "'\"path\":\"ar:t1.react.notes.tc_6\"' | tc_6",
        "'\"type\":\"stage.gate\",\"text\":\"{\\\"tool_call_id\\\":\\\"tc_3\\\"}\"' |",
        "'\"type\":\"react.note\",\"text\":\"not json\"' |"
      })
  void findsTheCallIdInFourPlacesFirstHitWins(String fields, String call) {
    assertThat(entry(fields).callId().map(CallId::value).orElse(null)).isEqualTo(call);
  }

  @Test
  void keepsTheProvidersIdWhereverItStands() {
    // T-5
    assertThat(entry("\"tool_call_id\":\"toolu_1\"").providerCallId()).hasValue("toolu_1");
    assertThat(entry("\"meta\":{\"tool_call_id\":\"toolu_1\"}").providerCallId())
        .hasValue("toolu_1");
    assertThat(entry("\"tool_call_id\":\"tc_1\"").providerCallId()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"tool_id\":\"a\",\"meta\":{\"tool_id\":\"b\"}' | a",
        "'\"meta\":{\"tool_id\":\"b\"}' | b",
        "'\"type\":\"react.tool.call\",\"text\":\"{\\\"tool_id\\\":\\\"c\\\"}\"' | c",
        "'\"type\":\"react.tool.call\",\"text\":\"{}\"' |"
      })
  void findsTheToolIdInThreePlaces(String fields, String tool) {
    assertThat(entry(fields).ownToolId().orElse(null)).isEqualTo(tool);
  }

  @Test
  void takesTheToolIdOfAResultFromItsCall() {
    Timeline timeline =
        new Chat()
            .activeTurn("t1")
            .call("tc_1", "first.tool", "{}")
            .result("tc_1", "{}")
            .call("tc_1", "second.tool", "{}")
            .result("tc_1", "{}")
            .timeline();
    Rounds rounds = Rounds.of(timeline.window());
    assertThat(rounds.calledBy(2).orElseThrow().call().orElseThrow().ownToolId())
        .hasValue("first.tool");
    assertThat(rounds.calledBy(4).orElseThrow().call().orElseThrow().ownToolId())
        .hasValue("second.tool");
    assertThat(rounds.round(2)).isNotEqualTo(rounds.round(4)); // a reused, answered id
  }
}

package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenderCommandTest {
  private static final String CHAT =
      """
      {"active_turn": "t2", "blocks": [
        {"type": "turn.header", "turn_id": "t1", "ts": 1770603272},
        {"type": "user.prompt", "author": "user", "turn_id": "t1", "path": "ar:t1.user.prompt",
         "text": "Weather in Oslo?"},
        {"type": "react.tool.call", "turn_id": "t1", "path": "tc:t1.tc_1.call",
         "text": "{\\"tool_id\\":\\"web.weather\\",\\"params\\":{\\"city\\": \\"Oslo\\"}}"},
        {"type": "react.tool.result", "turn_id": "t1", "path": "tc:t1.tc_1.result", "text": "4 C"},
        {"type": "turn.header", "ts": "2026-02-09T02:15:00Z"},
        {"type": "user.prompt", "author": "user", "path": "ar:t2.user.prompt", "text": "Bergen?"}],
       "sources": [{"title": "Yr", "url": "https://yr.no/", "text": "forecast"}],
       "announce": [{"text": "state: 1"}]}
      """;

  @TempDir Path folder;

  @Test
  void printsTheTranscriptAsText() throws IOException {
    Run run = render(CHAT, "--text", "--include-sources", "--include-announce");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("[TURN t1] ts=2026-02-09T02:14:32Z\n\n[USER MESSAGE]\n")
        .contains("\"city\": \"Oslo\"", "[TURN t2] ts=2026-02-09T02:15:00Z")
        .endsWith(
            """
            [SOURCES POOL] (1)
            [path: so:sources_pool[1]]
            SID:1 | Yr | - | yr.no | ~1 tok
              forecast

            state: 1

            """);
  }

  @Test
  void answersWithPointsAndTokens() throws IOException {
    JsonObject answer = json(render(CHAT, "--max-tokens", "1000", "--tokenizer", "chars4"));
    assertThat(answer.keys())
        .contains("blocks", "cache_points", "tokens", "over_limit", "pruning", "dropped");
    JsonObject tokens = answer.object("tokens").orElseThrow();
    assertThat(tokens.find("limit")).contains(JsonValue.of(900));
    assertThat(answer.isTrue("over_limit")).isFalse();
    assertThat(answer.find("cache_points").orElseThrow().toJson())
        .contains("\"name\":\"prev_turn\",\"index\":3", "\"name\":\"tail\",\"index\":5");
  }

  @Test
  void answersWithMessagesInTheNativeDialect() throws IOException {
    JsonObject answer = json(render(CHAT, "--dialect", "native"));
    assertThat(answer.find("messages").orElseThrow().toJson())
        .contains(
            "{\"type\":\"tool_call\",\"tool_call_id\":\"tc_1\",\"tool\":\"web.weather\","
                + "\"arguments\":{\"city\":\"Oslo\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"blocks\":[{\"turn_id\":\"t\",\"path\":\"ar:t\"}]};invalid_path;blocks[0].path",
        "{\"blocks\":[],\"surprise\":1};unknown_field;surprise",
        "{\"blocks\":[{\"turn_id\":\"t\",\"data\":\"a*b\"}]};invalid_data;blocks[0].data",
        "{\"blocks\":[{\"turn_id\":\"t\",\"ts\":\"soon\"}]};invalid_ts;blocks[0].ts",
        "{\"blocks\":[{\"turn_id\":\"t\"},{\"text\":\"x\"}]};field_required;blocks[1].turn_id",
        "{\"blocks\":[{\"turn_id\":\"a.b\"}]};invalid_turn_id;blocks[0].turn_id",
        "{\"blocks\":[{\"turn_id\":\"t\",\"type\":\"Bad\"}]};invalid_type;blocks[0].type",
        "{\"blocks\":{}};field_type;blocks",
        "{};field_required;blocks",
        "{\"blocks\":[],\"sources\":[{\"sid\":0}]};field_type;sources[0].sid"
      })
  void refusesAFileWithOneBadField(String file, String code, String field) throws IOException {
    Run run = render(file, "--json");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    JsonObject problem = (JsonObject) JsonValue.parse(run.err());
    assertThat(problem.string("code")).contains(code);
    assertThat(problem.string("field")).contains(field);
  }

  @Test
  void refusesABlockOverItsLimitWithBothNumbers() throws IOException {
    String text = "x".repeat((1 << 20) + 1);
    Run run = render("{\"blocks\":[{\"turn_id\":\"t\",\"text\":\"" + text + "\"}]}", "--json");
    JsonObject problem = (JsonObject) JsonValue.parse(run.err());
    assertThat(problem.string("code")).contains("text_too_large");
    assertThat(problem.find("limit")).contains(JsonValue.of(1 << 20));
    assertThat(problem.find("actual")).contains(JsonValue.of((1 << 20) + 1));
  }

  @Test
  void refusesOptionsThatDoNotGoTogether() throws IOException {
    Run run = render(CHAT, "--text", "--dialect", "native");
    assertThat(run.exitCode()).isEqualTo(Main.USAGE);
    assertThat(run.err()).contains("code: invalid_argument");
  }

  @Test
  void refusesAContextOverAStrictBudget() throws IOException {
    Run run = render(CHAT, "--max-tokens", "10", "--strict-budget");
    assertThat(run.err()).contains("code: context_too_large", "at most 10");
  }

  private Run render(String content, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("chat.json"), content);
    List<String> args = new ArrayList<>(List.of("render", file.toString()));
    args.addAll(Arrays.asList(options));
    return Run.of(args.toArray(String[]::new));
  }

  private static JsonObject json(Run run) {
    assertThat(run.err()).isEmpty();
    return (JsonObject) JsonValue.parse(run.out());
  }
}

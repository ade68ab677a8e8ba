package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Budgets and narrowed views over HTTP: what one call decides changes nothing for another. */
@Timeout(300)
class ServerBudgetsTest {
  private static final String HUGE = "a line of output that says little. ".repeat(1_500).strip();

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void talk() {
    served = new TestServer(directory);
    for (int i = 1; i <= 3; i++) {
      served.post(C + "/turns", "{\"turn_id\":\"t" + i + "\",\"prompt\":\"ask\"}");
      served.post(C + "/turns/t" + i + "/finish", "{\"completion\":\"answer\"}");
    }
    served.post(C + "/turns", "{\"turn_id\":\"t4\",\"prompt\":\"run it\"}");
    Got blocks =
        served.post(
            C + "/blocks",
            "{\"blocks\":[{\"type\":\"react.tool.call\",\"author\":\"react\",\"tool_call_id\":"
                + "\"tc_1\",\"path\":\"tc:t4.tc_1.call\",\"text\":\"{\\\"tool_id\\\":\\\"run\\\","
                + "\\\"params\\\":{}}\"},{\"type\":\"react.tool.result\",\"author\":\"react\","
                + "\"tool_call_id\":\"tc_1\",\"path\":\"tc:t4.tc_1.result\",\"text\":\""
                + HUGE
                + "\"}]}");
    assertThat(blocks.status()).as(blocks.text()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    served.close();
  }

  private Got render(String options) {
    Got rendered = served.post(C + "/render", options);
    assertThat(rendered.status()).as(rendered.text()).isEqualTo(200);
    return rendered;
  }

  @Test
  void aPreviewIsListedWithItsBudgetAndShownToNoLargerOne() {
    assertThat(render("{\"max_tokens\":4000}").text()).contains("[PREVIEW]");
    assertThat(render("{\"max_tokens\":50000}").text()).contains(HUGE).doesNotContain("[PREVIEW]");
    assertThat(render("{}").text()).contains(HUGE);
    JsonArray blocks = served.get(C + "/timeline").json().array("blocks").orElseThrow();
    JsonObject result = (JsonObject) blocks.items().getLast();
    assertThat(result.has("hidden")).isFalse();
    JsonObject view = (JsonObject) result.array("views").orElseThrow().items().getFirst();
    assertThat(view.find("max_tokens")).contains(new JsonNumber("4000"));
    assertThat(view.string("reason")).contains("oversize");
    assertThat(view.string("replacement_text").orElseThrow()).startsWith("[PREVIEW]");
  }

  @Test
  void aNarrowedRenderSaysHowManyTurnsItLeavesOut() {
    assertThat(render("{\"limit\":1}").number("omitted_turns")).isEqualTo(2);
    assertThat(render("{}").number("omitted_turns")).isZero();
  }

  @Test
  void aRequestThatCannotHoldThePromptSaysTheLeastThatWould() {
    served.post(C + "/turns/t4/finish", "{\"completion\":\"done\"}");
    String prompt = "long ".repeat(3_000);
    served.post(C + "/turns", "{\"turn_id\":\"t5\",\"prompt\":\"" + prompt + "\"}");
    long version = served.get(C + "/timeline").number("version");
    Got refused = request(2_000);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.code()).isEqualTo("budget_too_small");
    assertThat(served.get(C + "/timeline").number("version")).isEqualTo(version);
    long least = refused.number("least_max_tokens");
    assertThat(request(least - 1).code()).isEqualTo("budget_too_small");
    Got fits = request(least);
    assertThat(fits.status()).as(fits.text()).isEqualTo(200);
  }

  private Got request(long maxTokens) {
    return served.post(
        C + "/request",
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"config\":{\"max_tokens\":"
            + maxTokens
            + ",\"memory_tokens\":100,\"history_tokens\":1400,"
            + "\"reserved_response_tokens\":500}}");
  }
}

package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Parameters of requests over HTTP (H-8). */
@Timeout(300)
class ServerParamsTest {
  private static final String OLD = "{\"provider\":\"anthropic\",\"model\":\"claude-sonnet-4-5\"";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
    assertThat(served.post(C + "/turns", "{\"prompt\":\"hello\",\"turn_id\":\"t1\"}").status())
        .isEqualTo(201);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private TestServer.Got request(String more) {
    return served.post(C + "/request", OLD + more + "}");
  }

  @Test
  void everythingThatIsAskedIsInTheBody() {
    TestServer.Got got =
        request(
            ",\"params\":{\"temperature\":0.50,\"top_k\":4},\"api_version\":\"2023-06-01\","
                + "\"stream\":true,\"thinking\":{\"budget_tokens\":2048},\"effort\":\"low\","
                + "\"output_schema\":{\"schema\":{\"type\":\"object\"}},"
                + "\"tools\":[{\"name\":\"a\",\"input_schema\":{\"type\":\"object\"}},"
                + "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}],"
                + "\"tool_choice\":\"none\"");
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    assertThat(got.text())
        .contains(
            "\"temperature\":0.50,\"top_k\":4",
            "\"stream\":true",
            "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2048}",
            "\"effort\":\"low\"",
            "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}",
            "\"tool_choice\":{\"type\":\"none\"}",
            "\"path\":\"/v1/messages\"",
            "\"headers\":{\"anthropic-version\":\"2023-06-01\","
                + "\"content-type\":\"application/json\"}");
  }

  @Test
  void whatCannotBeAskedIsRefused() {
    TestServer.Got owned = request(",\"params\":{\"messages\":[]}");
    assertThat(owned.status()).isEqualTo(400);
    assertThat(owned.code()).isEqualTo("param_owned");
    assertThat(owned.string("field")).isEqualTo("params.messages");
    TestServer.Got rejected = request(",\"params\":{\"top_p\":1}");
    assertThat(rejected.status()).isEqualTo(400);
    assertThat(rejected.code()).isEqualTo("param_rejected");
    assertThat(rejected.string("detail")).contains("V32", "top_p", "2026-10-21");
    for (String wrong :
        new String[] {
          "\"thinking\":\"much\"",
          "\"effort\":\"huge\"",
          "\"tool_choice\":{\"tool\":1}",
          "\"api_version\":\"2020-01-01\"",
          "\"output_schema\":{}",
          "\"params\":1",
          "\"stream\":1"
        }) {
      assertThat(request("," + wrong).status()).as(wrong).isEqualTo(400);
    }
  }

  /** What a model is told about a refused call names tools as it knows them. */
  @Test
  void aRefusedCallIsNamedAsTheModelKnowsIt() {
    String rules = "[{\"type\":\"start_constraint\",\"tool\":\"my.start\"}]";
    TestServer.Got built =
        request(
            ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"my.start\"}},"
                + "{\"name\":\"b\",\"input_schema\":{\"type\":\"object\"}}],\"tool_rules\":"
                + rules);
    assertThat(built.status()).as(built.text()).isEqualTo(200);
    assertThat(built.text()).contains("tool my.start is sent as my_start_");
    TestServer.Got refused =
        served.post(C + "/rules/check", "{\"tool_rules\":" + rules + ",\"call\":{\"tool\":\"b\"}}");
    assertThat(refused.text()).contains("\"missing\":[\"my.start\"]", "call my_start_");
    String given = built.text().replaceAll("(?s).*is sent as (my_start_[0-9a-f]+).*", "$1");
    assertThat(
            served
                .post(
                    C + "/rules/check",
                    "{\"tool_rules\":" + rules + ",\"call\":{\"tool\":\"" + given + "\"}}")
                .text())
        .contains("\"decision\":\"allowed\"");
    TestServer.Got never =
        request(
            ",\"tool_rules\":[{\"type\":\"start_constraint\",\"tool\":\"a\"},"
                + "{\"type\":\"requires_prior\",\"tool\":\"a\",\"prior\":\"b\"}]");
    assertThat(never.code()).isEqualTo("rule_invalid");
  }

  @Test
  void whatNoProviderTakesIsNoRequest() {
    assertThat(request(",\"tools\":[{\"name\":\"a\",\"input_schema\":{}}]").code())
        .isEqualTo("tool_schema_invalid");
    assertThat(request(",\"max_output_tokens\":0").status()).isEqualTo(400);
    assertThat(
            served
                .post(C + "/request", "{\"provider\":\"anthropic\",\"model\":\"\"}")
                .string("field"))
        .isEqualTo("model");
    String valid =
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"request\":{%s"
            + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}}";
    for (String wrong :
        new String[] {
          "\"model\":\"claude-opus-5\",",
          "\"model\":\"claude-opus-5\",\"max_tokens\":0,",
          "\"model\":\"\",\"max_tokens\":1,",
          "\"model\":\"claude-opus-5\",\"max_tokens\":1,"
              + "\"tools\":[{\"name\":\"a\",\"input_schema\":{}}],"
        }) {
      assertThat(served.post("/v1/validate", valid.replace("%s", wrong)).text())
          .as(wrong)
          .contains("\"valid\":false");
    }
  }

  @Test
  void aCompatibleBodyIsWrittenOnDemand() {
    TestServer.Got got =
        served.post(
            C + "/request",
            "{\"provider\":\"openai_chat\",\"model\":\"qwen3:8b\",\"compat\":true,"
                + "\"base_instructions\":\"Be brief.\"}");
    assertThat(got.text())
        .contains("\"role\":\"system\"", "\"max_tokens\":")
        .doesNotContain("\"store\"", "max_completion_tokens", "developer");
  }

  @Test
  void aBodyIsJudgedByItsVersion() {
    String body =
        "{\"provider\":\"anthropic\",\"model\":\"claude-sonnet-4-5\",\"request\":"
            + "{\"model\":\"claude-sonnet-4-5\",\"max_tokens\":5,\"temperature\":1,"
            + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    assertThat(served.post("/v1/validate", body + "}").text())
        .contains("\"valid\":false", "\"code\":\"V32\"");
    assertThat(served.post("/v1/validate", body + ",\"api_version\":\"2023-06-01\"}").text())
        .contains("\"valid\":true");
    assertThat(served.post("/v1/validate", body + ",\"api_version\":\"2\"}").status())
        .isEqualTo(400);
  }
}

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
    return request("claude-sonnet-4-5", more);
  }

  private TestServer.Got request(String model, String more) {
    return served.post(
        C + "/request", "{\"provider\":\"anthropic\",\"model\":\"" + model + "\"" + more + "}");
  }

  /** What a provider would refuse is refused here, and nothing is recorded. */
  @Test
  void whatTheModelDoesNotTakeIsRefused() {
    for (String asked :
        new String[] {
          "claude-opus-4-5|,\"tool_choice\":\"required\"|give tools",
          "claude-opus-4-5|,\"tool_choice\":{\"tool\":\"x\"},\"tools\":[{\"name\":\"a\","
              + "\"input_schema\":{\"type\":\"object\"}}]|a tool that is offered: a",
          "claude-opus-4-5|,\"thinking\":{\"budget_tokens\":2000},\"max_output_tokens\":2000|"
              + "from 1024 to below the output limit (2000)",
          "claude-sonnet-4-5|,\"effort\":\"low\"|output_config.effort",
          "claude-opus-4-5|,\"max_output_tokens\":64001|1 to 64000 for claude-opus-4-5",
          "claude-opus-4-5|,\"tools\":[{\"google_search\":{}}]|V40",
          "claude-opus-4-5|,\"params\":{\"stop_sequences\":5}|params.stop_sequences",
          "claude-opus-4-5|,\"output_schema\":{\"schema\":{\"type\":\"object\","
              + "\"additionalProperties\":true}}|additionalProperties is not false",
          "gpt-5.5|,\"stream\":true|gpt-5.5 is one of openai"
        }) {
      String[] row = asked.split("\\|", -1);
      TestServer.Got refused = request(row[0], row[1]);
      assertThat(refused.status()).as(asked).isEqualTo(400);
      assertThat(refused.code()).as(asked).isEqualTo("param_rejected");
      assertThat(refused.string("detail")).contains(row[2]);
    }
    assertThat(served.get(C + "/requests").text()).contains("\"requests\":[]");
  }

  /** A refusal names the range that holds, whichever end was missed. */
  @Test
  void aRefusalNamesTheRangeThatHolds() {
    for (String days : new String[] {"-1", "0", "2147483648"}) {
      assertRange(request(",\"days\":" + days), "days", days, "1 to 2147483647");
      String options = "{\"days\":" + days + "}";
      assertRange(served.post(C + "/render", options), "days", days, "1 to 2147483647");
      String turn = "{\"prompt\":\"p\",\"settings\":" + options + "}";
      TestServer.Got got = served.post(C + "9/turns", turn);
      assertRange(got, "settings.days", days, "1 to 2147483647");
    }
    for (String tokens : new String[] {"-7", "0", "99999999999"}) {
      assertRange(
          request(",\"thinking\":{\"budget_tokens\":" + tokens + "}"),
          "thinking.budget_tokens",
          tokens,
          "1 to 2147483647");
      assertRange(
          request(",\"max_output_tokens\":" + tokens),
          "max_output_tokens",
          tokens,
          "1 to 2147483647");
    }
    assertThat(request(",\"thinking\":{}").code()).isEqualTo("field_required");
    String small = "{\"prompt\":\"p\",\"settings\":{\"max_tokens\":1}}";
    assertThat(served.post(C + "9/turns", small).status()).isEqualTo(201);
    TestServer.Got got =
        served.post(C + "9/request", "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}");
    assertRange(got, "max_tokens", "1", "3 to 1000000000");
  }

  private static void assertRange(TestServer.Got got, String field, String actual, String range) {
    assertThat(got.status()).as(got.text()).isEqualTo(400);
    assertThat(got.string("field")).isEqualTo(field);
    assertThat(got.string("actual")).isEqualTo(actual);
    assertThat(got.string("allowed")).contains(range);
  }

  /** A body for a compatible server may name the model of any maker. */
  @Test
  void aForeignModelIsValidForACompatibleServer() {
    String body =
        "{\"provider\":\"openai_chat\",\"model\":\"claude-opus-5\",%s\"request\":{\"model\":\"claude-opus-5\","
            + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}}";
    assertThat(served.post("/v1/validate", body.replace("%s", "")).text())
        .contains("\"valid\":false", "V38");
    assertThat(served.post("/v1/validate", body.replace("%s", "\"compat\":true,")).text())
        .contains("\"valid\":true");
  }

  @Test
  void everythingThatIsAskedIsInTheBody() {
    TestServer.Got got =
        request(
            "claude-opus-4-5",
            ",\"params\":{\"top_p\":0.950,\"speed\":\"fast\"},\"api_version\":\"2023-06-01\","
                + "\"stream\":true,\"thinking\":{\"budget_tokens\":2048},\"effort\":\"low\","
                + "\"output_schema\":{\"schema\":{\"type\":\"object\"}},"
                + "\"tools\":[{\"name\":\"a\",\"input_schema\":{\"type\":\"object\"}},"
                + "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}],"
                + "\"tool_choice\":\"none\"");
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    assertThat(got.text())
        .contains(
            "\"top_p\":0.950,\"speed\":\"fast\"",
            "\"stream\":true",
            "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2048}",
            "\"effort\":\"low\"",
            "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}",
            "\"tool_choice\":{\"type\":\"none\"}",
            "\"schema\":{\"type\":\"object\",\"additionalProperties\":false}",
            "\"code\":\"V39\"",
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

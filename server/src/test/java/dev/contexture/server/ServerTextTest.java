package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is stored can always be sent: whatever comes in, no body holds what no provider takes. */
@Timeout(120)
class ServerTextTest {
  private static final String A = "/v1/agents/atlas";
  private static final int ROUNDS = 6;
  private static final Map<String, String> MODELS =
      Map.of(
          "anthropic", "claude-opus-5",
          "openai_chat", "gpt-5.6-terra",
          "openai_responses", "gpt-5.6-terra",
          "gemini", "gemini-3.5-flash");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|.)");

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @Test
  void noBodyHoldsWhatNoProviderTakesWhateverRouteItCameBy() {
    Random random = new Random(20_261_115);
    for (int round = 0; round < ROUNDS; round++) {
      String base = "/v1/users/u1/conversations/r" + round;
      fill(base, round, () -> quoted(hostile(random)));
      MODELS.forEach((provider, model) -> checkBody(base, provider, model));
      checkClean(served.get(base + "/timeline?limit=500").text());
      checkClean(served.get(base + "/turns/t1").text());
      checkClean(served.get(base + "/sources").text());
    }
  }

  private interface Texts {
    /** A text as a JSON string. */
    String next();
  }

  /** Sends hostile texts by every way that leads into a body. */
  private void fill(String base, int round, Texts x) {
    ok("PUT", A, "{\"name\":%s,\"description\":%s}", x);
    ok(
        "POST",
        A + "/blocks",
        "{\"label\":\"b%d\",\"block_type\":\"core\",\"content\":%%s,\"description\":%%s}"
            .formatted(round),
        x);
    ok(
        "POST",
        A + "/blocks",
        ("{\"label\":\"m%d\",\"block_type\":\"working\",\"pinned\":true,\"schema\":{\"kind\":\"map\","
             + "\"fields\":[{\"name\":\"f\",\"type\":\"text\"}]},\"content\":{\"f\":%%s}}")
            .formatted(round),
        x);
    ok(
        "POST",
        A + "/blocks/b" + round + "/ops",
        "{\"message\":%s,\"ops\":[{\"op\":\"append\",\"content\":%s}]}",
        x);
    ok("POST", A + "/archival", "{\"content\":%s,\"metadata\":{%s:%s}}", x);
    ok(
        "POST",
        base + "/import",
        "{\"format\":\"anthropic\",\"messages\":[{\"role\":\"user\",\"content\":%s},"
            + "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"toolu_i\","
            + "\"name\":\"f\",\"input\":{%s:%s}}]},{\"role\":\"user\",\"content\":["
            + "{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_i\",\"content\":%s}]},"
            + "{\"role\":\"assistant\",\"content\":%s}]}",
        x);
    ok(
        "POST",
        base + "/turns",
        "{\"turn_id\":\"t1\",\"prompt\":%s,\"agent\":\"atlas\",\"attachments\":[{\"name\":\"a\\ud83d.txt\","
            + "\"mime\":\"text/plain\",\"text\":%s,\"summary\":%s}]}",
        x);
    ok(
        "POST",
        base + "/blocks",
        "{\"blocks\":[{\"type\":\"user.steer\",\"text\":%s,\"meta\":{%s:{%s:%s}},\"x\":%s},"
            + "{\"type\":\"react.note\",\"text\":%s,\"hidden\":true,\"replacement_text\":%s},"
            + "{\"type\":\"react.tool.call\",\"tool_call_id\":\"tc_own\",\"tool_id\":\"f\",\"text\":"
            + "\"{\\\"tool_id\\\":\\\"f\\\",\\\"params\\\":{\\\"a\\\\u0000\\\":\\\"\\\\ud83d\\\"}}\"},"
            + "{\"type\":\"react.tool.result\",\"tool_call_id\":\"tc_own\",\"text\":%s}]}",
        x);
    ok("PUT", base + "/announce", "{\"blocks\":[{\"text\":%s}]}", x);
    ok(
        "POST",
        base + "/sources",
        "{\"sources\":[{\"url\":\"http://a/\",\"title\":%s,\"text\":%s,%s:%s}]}",
        x);
    ok("POST", base + "/clarification", "{\"questions\":[%s],\"ticket\":{\"title\":%s}}", x);
    ok(
        "POST",
        base + "/clarification_resolution",
        "{\"ticket\":{\"ticket_id\":\"k\",\"title\":%s},\"resolved_with_answer\":%s}",
        x);
    answered(base, x);
    ok(
        "POST",
        base + "/turns/t1/finish",
        "{\"completion\":%s,\"suggested_followups\":[%s],\"state\":{%s:%s},\"exit_reason\":%s}",
        x);
    ok(
        "POST",
        base + "/feedback",
        "{\"target_turn_id\":\"t1\",\"origin\":\"user\",\"text\":%s,\"reaction\":\"ok\"}",
        x);
    ok("POST", base + "/turns", "{\"turn_id\":\"t2\",\"prompt\":%s,\"agent\":\"atlas\"}", x);
    ok("PUT", base + "/announce", "{\"blocks\":[{\"text\":%s}]}", x);
  }

  private void answered(String base, Texts x) {
    ok(
        "POST",
        base + "/responses",
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"response\":{\"type\":\"message\","
            + "\"role\":\"assistant\",\"model\":\"claude-opus-5\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"cut"
            + " \\udc00\",\"signature\":\"c2ln\"},"
            + "{\"type\":\"text\",\"text\":%s},{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"f\","
            + "\"input\":{%s:[%s]}},{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"f\","
            + "\"input\":{}}],\"stop_reason\":\"tool_use\"}}",
        x);
    ok("POST", base + "/results", "{\"tool_call_id\":\"tc_toolu_1\",\"content\":%s}", x);
    ok("POST", base + "/results", "{\"tool_call_id\":\"tc_toolu_2\",\"content\":{%s:%s}}", x);
  }

  private void ok(String method, String path, String template, Texts texts) {
    StringBuilder body = new StringBuilder();
    Matcher holes = Pattern.compile("%s").matcher(template);
    while (holes.find()) {
      holes.appendReplacement(body, Matcher.quoteReplacement(texts.next()));
    }
    Got got = served.send(method, path, holes.appendTail(body).toString());
    assertThat(got.status())
        .as(method + " " + path + " " + body + " " + got.text())
        .isBetween(200, 201);
  }

  private void checkBody(String base, String provider, String model) {
    String named = "{\"provider\":\"" + provider + "\",\"model\":\"" + model + "\"";
    Got got =
        served.post(
            base + "/request",
            named
                + ",\"agent\":\"atlas\",\"base_instructions\":\"I \\ud83d"
                + " \\u0000\",\"include_sources\":true,\"include_announce\":true,\"tools\":[{\"name\":\"f\",\"description\":\"d"
                + " \\udc00\\u0007\","
                + "\"input_schema\":{\"type\":\"object\",\"properties\":{\"p\\ud83d\":{\"type\":\"string\","
                + "\"description\":\"\\u001b\",\"enum\":[\"\\ud83d\"]}}}}]}");
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    checkClean(got.text());
    String body = JsonText.member(got.text(), "request").orElseThrow();
    Got judged = served.post("/v1/validate", named + ",\"request\":" + body + "}");
    assertThat(judged.json().isTrue("valid")).as(judged.text()).isTrue();
  }

  /** Follows every escape: no half of a pair, and no NUL. */
  private static void checkClean(String json) {
    StringBuilder plain = new StringBuilder();
    Matcher escapes = ESCAPE.matcher(json);
    while (escapes.find()) {
      String code = escapes.group(1);
      String decoded = code == null ? " " : String.valueOf((char) Integer.parseInt(code, 16));
      escapes.appendReplacement(plain, Matcher.quoteReplacement(decoded));
    }
    escapes.appendTail(plain);
    plain
        .codePoints()
        .forEach(point -> assertThat(isAllowed(point)).as("U+%04X in %s", point, json).isTrue());
  }

  private static boolean isAllowed(int point) {
    return point != 0 && !(point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }

  private static String quoted(String text) {
    return new JsonString(text).toJson();
  }

  private static String hostile(Random random) {
    StringBuilder text = new StringBuilder("x");
    for (int n = 1 + random.nextInt(10); n > 0; n--) {
      switch (random.nextInt(6)) {
        case 0 -> text.append((char) (Character.MIN_SURROGATE + random.nextInt(2_048)));
        case 1 -> text.append((char) random.nextInt(32));
        case 2 -> text.append("\uD83D\uDE00");
        case 3 -> text.append("\\ud83d\\\"\\u0000");
        case 4 -> text.append((char) (0xFFFD + random.nextInt(3)));
        default -> text.append((char) ('a' + random.nextInt(26)));
      }
    }
    return text.append(random.nextLong()).toString();
  }

  @Test
  void aCutEmojiIsStoredAsTheReplacementCharacter() {
    served.post(C + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"cut emoji \\ud83d here\"}");
    assertThat(served.get(C + "/artifact?path=ar:t1.user.prompt").string("text"))
        .isEqualTo("cut emoji \uFFFD here");
  }

  @Test
  void validateFindsHalfOfASurrogatePair() {
    String head = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"request\":";
    String body = "{\"model\":\"claude-opus-5\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",";
    Got broken = served.post("/v1/validate", head + body + "\"content\":\"cut \\ud83d\"}]}}");
    assertThat(broken.json().isTrue("valid")).isFalse();
    assertThat(broken.text()).contains("\"V31\"", "/messages/0/content");
    Got whole = served.post("/v1/validate", head + body + "\"content\":\"\\ud83d\\ude00\"}]}}");
    assertThat(whole.json().isTrue("valid")).as(whole.text()).isTrue();
  }
}

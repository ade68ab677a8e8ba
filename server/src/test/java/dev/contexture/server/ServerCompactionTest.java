package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.TestServer.Got;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compaction over HTTP (H-4): on demand, as a dry run, taken back, and as an event. */
@Timeout(300)
class ServerCompactionTest {
  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void talk() {
    served = new TestServer(directory);
    for (int i = 1; i <= 8; i++) {
      String words = ("word" + i + " ").repeat(60);
      served.post(C + "/turns", "{\"turn_id\":\"t" + i + "\",\"prompt\":\"ask " + words + "\"}");
      served.post(C + "/turns/t" + i + "/finish", "{\"completion\":\"answer " + words + "\"}");
    }
  }

  @AfterEach
  void close() {
    served.close();
  }

  private String text() {
    JsonArray blocks = served.post(C + "/render", "{}").json().array("blocks").orElseThrow();
    StringBuilder text = new StringBuilder();
    blocks.items().forEach(part -> text.append(((JsonObject) part).string("text").orElse("")));
    return text.toString();
  }

  @Test
  void isForcedOnlyWithoutABudget() {
    Got notDue = served.post(C + "/compact", "{\"max_tokens\":100000}");
    assertThat(notDue.string("status")).isEqualTo("not_needed");
    Got forced = served.post(C + "/compact", "{\"max_tokens\":100000,\"force\":true}");
    assertThat(forced.string("status")).isEqualTo("completed");
    assertThat(forced.string("reason")).isEqualTo("forced");
    Got again = served.post(C + "/compact", "{\"force\":false}");
    assertThat(again.string("status")).isEqualTo("not_needed");
    Got without = served.post(C + "/compact", "");
    assertThat(without.string("status")).isIn("completed", "skipped");
  }

  @Test
  void aDryRunStoresNothing() {
    String before = text();
    long version = served.get(C + "/timeline").number("version");
    Got dry = served.post(C + "/compact", "{\"dry_run\":true,\"policy\":\"economical\"}");
    assertThat(dry.status()).isEqualTo(200);
    assertThat(dry.string("status")).isEqualTo("completed");
    assertThat(dry.string("summary")).contains("## What the user said");
    assertThat(dry.number("tokens_after")).isLessThan(dry.number("tokens_before"));
    assertThat(served.get(C + "/timeline").number("version")).isEqualTo(version);
    assertThat(served.get(C + "/summaries").json().array("summaries").orElseThrow().items())
        .isEmpty();
    assertThat(text()).isEqualTo(before);
  }

  @Test
  void canBeTakenBack() {
    // T-23
    String before = text();
    Got done = served.post(C + "/compact", "{}");
    assertThat(text()).startsWith("[SUMMARY]");
    JsonObject row =
        (JsonObject)
            served.get(C + "/summaries").json().array("summaries").orElseThrow().items().getFirst();
    assertThat(row.string("summary_id")).contains(done.string("summary_id"));
    assertThat(row.object("digest")).isPresent();
    String id = done.string("summary_id");
    Got withdrawn = served.post(C + "/summaries/" + id + "/withdraw", "");
    assertThat(withdrawn.status()).isEqualTo(200);
    assertThat(text()).isEqualTo(before);
    served.post(C + "/turns", "{\"turn_id\":\"t9\",\"prompt\":\"more\"}");
    Got again = served.post(C + "/summaries/" + id + "/withdraw", "");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text()).isEqualTo(withdrawn.text());
    assertThat(served.post(C + "/summaries/nope/withdraw", "").code()).isEqualTo("not_found");
  }

  @Test
  void listsSummariesInPagesWithoutWhatTheySay() {
    List<String> made = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      made.addFirst(served.post(C + "/compact", "{}").string("summary_id"));
      served.post(C + "/turns", "{\"turn_id\":\"n" + i + "\",\"prompt\":\"more\"}");
      String answer = "answer ".repeat(400);
      served.post(C + "/turns/n" + i + "/finish", "{\"completion\":\"" + answer + "\"}");
    }
    Got first = served.get(C + "/summaries?limit=2");
    assertThat(ids(first)).containsExactlyElementsOf(made.subList(0, 2));
    JsonObject row = (JsonObject) first.json().array("summaries").orElseThrow().items().getFirst();
    assertThat(row.keys())
        .contains("covered_turn_ids", "digest", "path")
        .doesNotContain("text", "entries", "receipt");
    Got second = served.get(C + "/summaries?limit=2&cursor=" + first.string("next_cursor"));
    assertThat(ids(second)).containsExactly(made.getLast());
    assertThat(second.json().string("next_cursor")).isEmpty();
    assertThat(served.get(C + "/summaries?limit=0").status()).isEqualTo(400);
  }

  private static List<String> ids(Got page) {
    return page.json().array("summaries").orElseThrow().items().stream()
        .map(row -> ((JsonObject) row).string("summary_id").orElseThrow())
        .toList();
  }

  @Test
  void showsOneSummaryWithWhatItSaysAndItsReceipt() {
    Got done = served.post(C + "/compact", "{}");
    String id = done.string("summary_id");
    Got one = served.get(C + "/summaries/" + id);
    assertThat(one.status()).as(one.text()).isEqualTo(200);
    assertThat(one.string("summary_id")).isEqualTo(id);
    assertThat(one.string("text")).isEqualTo(done.string("summary"));
    assertThat(one.json().array("covered_turn_ids"))
        .isEqualTo(done.json().array("covered_turn_ids"));
    JsonObject entry = (JsonObject) one.json().array("entries").orElseThrow().items().getFirst();
    assertThat(entry.keys()).contains("kind", "turn", "text", "tokens");
    assertThat(one.json().keys()).contains("receipt");
    assertThat(served.get(C + "/summaries/nope").code()).isEqualTo("not_found");
  }

  @Test
  void keepsAPinnedPathVerbatimUpToAQuarterOfTheBudget() {
    String pin = "{\"path\":\"ar:t1.user.prompt\"}";
    Got pinned = served.post(C + "/pins", pin);
    assertThat(pinned.status()).as(pinned.text()).isEqualTo(200);
    assertThat(served.post(C + "/pins", pin).text()).as("again").isEqualTo(pinned.text());
    Got second = served.post(C + "/pins", "{\"path\":\"ar:t2.user.prompt\",\"max_tokens\":1000}");
    assertThat(second.status()).as("both are over 250 tokens").isEqualTo(422);
    assertThat(second.code()).isEqualTo("limit_exceeded");
    assertThat(second.number("limit")).isEqualTo(250);
    assertThat(second.number("actual")).isEqualTo(2 * pinned.number("tokens"));
    assertThat(served.post(C + "/pins", "{\"path\":\"ar:t1.nope\"}").code()).isEqualTo("not_found");
    assertThat(served.post(C + "/pins", "{\"path\":\"so:sources_pool[1]\"}").code())
        .isEqualTo("invalid_argument");
    assertThat(served.post(C + "/pins", "{\"path\":\"nonsense\"}").code())
        .isEqualTo("invalid_path");
    assertThat(served.post(C + "/pins", "{\"path\":\"ar:t1.n\",\"max_tokens\":0}").code())
        .isEqualTo("invalid_config");
    String id = served.post(C + "/compact", "{}").string("summary_id");
    String pinnedText = "[PINNED]\n[path: ar:t1.user.prompt]\nask " + "word1 ".repeat(60);
    assertThat(text()).contains("[END SUMMARY]\n\n" + pinnedText);
    assertThat(served.get(C + "/pins").text()).contains("\"path\":\"ar:t1.user.prompt\"");
    assertThat(served.get(C + "/summaries/" + id).status()).isEqualTo(200);
    assertThat(served.send("DELETE", C + "/pins?path=ar:t1.user.prompt", null).text())
        .isEqualTo("{\"removed\":true}");
    assertThat(served.send("DELETE", C + "/pins?path=ar:t1.user.prompt", null).text())
        .isEqualTo("{\"removed\":false}");
    assertThat(text()).doesNotContain("[PINNED]");
  }

  @Test
  void coversEveryTurnBeforeItsCutInANarrowedView() {
    String narrowed = "{\"limit\":4,\"max_tokens\":600,\"keep_recent_turns\":0}";
    Got first = served.post(C + "/render", narrowed);
    assertThat(first.status()).as(first.text()).isEqualTo(200);
    List<JsonValue> summaries =
        served.get(C + "/summaries").json().array("summaries").orElseThrow().items();
    assertThat(summaries).isNotEmpty();
    String covered =
        ((JsonObject) summaries.getFirst()).array("covered_turn_ids").orElseThrow().toJson();
    String shown = text();
    for (int i = 1; i <= 8; i++) {
      boolean visible = shown.contains("[TURN t" + i + "]");
      assertThat(visible || covered.contains("\"t" + i + "\""))
          .as("t" + i + " of " + covered)
          .isTrue();
    }
    assertThat(covered).startsWith("[\"t1\",\"t2\"");
  }

  @Test
  void aNarrowedViewThatFitsIsNotCompacted() {
    Got got = served.post(C + "/render", "{\"limit\":1,\"max_tokens\":600}");
    assertThat(got.status()).isEqualTo(200);
    assertThat(served.get(C + "/summaries").json().array("summaries").orElseThrow().items())
        .isEmpty();
  }

  @Test
  void aSummaryThatIsShownIsNotReadAgain() {
    served.post(C + "/compact", "{}");
    JsonObject summary =
        (JsonObject)
            served.get(C + "/summaries").json().array("summaries").orElseThrow().items().getFirst();
    String path = summary.string("path").orElseThrow();
    served.post(C + "/turns", "{\"turn_id\":\"t9\",\"prompt\":\"more\"}");
    Got read = served.post(C + "/tools/react.read", "{\"params\":{\"paths\":[\"" + path + "\"]}}");
    assertThat(read.status()).as(read.text()).isEqualTo(200);
    assertThat(read.text().replace("\\\"", "\""))
        .contains("\"exists_in_visible_context\":[\"" + path + "\"]", "\"total_tokens\":0");
  }

  @Test
  void aDeclaredKindOfAToolReachesTheDigest() {
    served.post(C + "/turns", "{\"turn_id\":\"t9\",\"prompt\":\"write it\"}");
    String request =
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"tools\":[{\"name\":\"blaze\","
            + "\"input_schema\":{\"type\":\"object\"},\"kind\":\"KIND\"}]}";
    Got refused = served.post(C + "/request", request.replace("KIND", "writes"));
    assertThat(refused.code()).isEqualTo("invalid_argument");
    assertThat(refused.text()).contains("search_memory");
    Got built = served.post(C + "/request", request.replace("KIND", "write"));
    assertThat(built.status()).as(built.text()).isEqualTo(200);
    assertThat(built.json().object("request").orElseThrow().toJson()).doesNotContain("\"kind\"");
    served.post(
        C + "/responses",
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"request_id\":\""
            + built.string("request_id")
            + "\",\"response\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":"
            + "[{\"type\":\"tool_use\",\"id\":\"tu1\",\"name\":\"blaze\",\"input\":{\"path\":\"a.py\"}}],"
            + "\"stop_reason\":\"tool_use\",\"usage\":{\"input_tokens\":9,\"output_tokens\":9}}}");
    served.post(C + "/results", "{\"tool_call_id\":\"tc_tu1\",\"content\":\"ok\"}");
    served.post(C + "/turns/t9/finish", "{\"completion\":\"done\"}");
    served.post(C + "/turns", "{\"turn_id\":\"t10\",\"prompt\":\"" + "more ".repeat(5000) + "\"}");
    Got done = served.post(C + "/compact", "{\"keep_recent_turns\":0}");
    assertThat(done.json().object("digest").orElseThrow().array("written_files").orElseThrow())
        .asString()
        .contains("\"path\":\"a.py\"", "\"tool_id\":\"blaze\"");
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThat(served.post(C + "/compact", "{\"maxtokens\":1}").code()).isEqualTo("unknown_field");
    assertThat(served.post(C + "/compact", "{\"max_tokens\":0}").code())
        .isEqualTo("invalid_config");
    assertThat(served.post(C + "/compact", "{\"policy\":\"x\"}").code())
        .isEqualTo("invalid_config");
    assertThat(served.post(C + "/compact", "{\"dry_run\":1}").code()).isEqualTo("field_type");
    String unknown = C.replace("/c1", "/c2") + "/compact";
    assertThat(served.post(unknown, "{}").code()).isEqualTo("not_found");
    assertThat(text()).startsWith("[TURN t1]");
  }

  @Test
  void isAnEvent() throws Exception {
    Got done = served.post(C + "/compact", "{}");
    long version = served.get(C + "/timeline").number("version");
    String address = served.server().address() + C + "/events?after=" + (version - 1);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<Stream<String>> events =
          client.send(
              HttpRequest.newBuilder(URI.create(address)).build(),
              HttpResponse.BodyHandlers.ofLines());
      try (Stream<String> lines = events.body()) {
        Optional<String> data = lines.filter(line -> line.startsWith("data: ")).findFirst();
        assertThat(data.orElseThrow())
            .contains("\"type\":\"compaction\"", "\"status\":\"completed\"")
            .contains("\"summary_id\":\"" + done.string("summary_id") + "\"");
      }
      client.shutdownNow();
    }
  }
}

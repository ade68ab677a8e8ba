package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a model is told, over HTTP: requests with memory, prompts, epochs (H-4, H-6, H-7). */
@Timeout(300)
class ServerContextTest {
  private static final String A = "/v1/agents/atlas";
  private static final String REQUEST =
      "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\"";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
    block("{\"label\":\"persona\",\"block_type\":\"core\",\"content\":\"I am Atlas.\"}");
    block(
        "{\"label\":\"notes\",\"block_type\":\"working\",\"pinned\":true,\"content\":\"tea\","
            + "\"description\":\"What I know\"}");
    block("{\"label\":\"orders\",\"block_type\":\"working\",\"content\":\"42 open\"}");
    assertThat(served.post(C + "/turns", "{\"prompt\":\"hello\",\"turn_id\":\"t1\"}").status())
        .isEqualTo(201);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private void block(String body) {
    assertThat(served.post(A + "/blocks", body).status()).isEqualTo(201);
  }

  private TestServer.Got request(String more) {
    return served.post(C + "/request", REQUEST + more + "}");
  }

  private static JsonObject metadata(TestServer.Got got) {
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.json().object("metadata").orElseThrow();
  }

  private static JsonObject epoch(TestServer.Got got) {
    return metadata(got).object("epoch").orElseThrow();
  }

  private static List<String> strings(JsonObject json, String key) {
    return json.array(key).map(JsonArray::items).orElseThrow().stream()
        .map(item -> ((JsonString) item).value())
        .toList();
  }

  @Test
  void aRequestShowsMemoryAndSaysSo() {
    TestServer.Got got =
        request(
            ",\"base_instructions\":\"Be brief.\",\"batch_blocks\":[\"orders\",\"nope\"],"
                + "\"tools\":[{\"name\":\"search\",\"input_schema\":{\"type\":\"object\"}}],"
                + "\"tool_rules\":[{\"type\":\"max_calls\",\"tool\":\"search\",\"n\":1},"
                + "{\"type\":\"exit_loop\",\"tool\":\"gone\"}],"
                + "\"config\":{\"include_descriptions\":false}");
    JsonObject metadata = metadata(got);
    assertThat(strings(metadata, "block_labels")).containsExactly("persona", "notes", "orders");
    assertThat(metadata.array("dropped").orElseThrow().toJson())
        .contains("unknown_block", "unknown_tool");
    assertThat(metadata.object("tokens").orElseThrow().keys())
        .contains(
            "instructions",
            "core",
            "working",
            "activity",
            "rules",
            "tools",
            "summary",
            "history",
            "memory_update",
            "tail",
            "total",
            "estimate");
    assertThat(metadata.keys())
        .contains(
            "limits", "counts", "compression", "cache_marks", "warnings", "truncated", "repairs");
    String body = got.json().object("request").orElseThrow().toJson();
    assertThat(body)
        .contains(
            "Be brief.",
            "I am Atlas.",
            "Call `search` at most 1 time",
            "42 open",
            "\"max_tokens\":8000",
            "recent_activity")
        .doesNotContain("What I know");
  }

  @Test
  void memoryIsRepeatedUntilAnEpochEnds() {
    assertThat(epoch(request("")).string("cause")).contains("first");
    assertThat(
            served
                .post(
                    A + "/blocks/notes/ops",
                    "{\"ops\":[{\"op\":\"set_text\",\"text\":\"coffee\"}]}")
                .status())
        .isEqualTo(200);
    TestServer.Got second = request("");
    assertThat(strings(epoch(second), "updated")).containsExactly("notes");
    assertThat(second.text()).contains("<memory_update>");
    TestServer.Got ended = served.post(C + "/epoch", "{\"agent\":\"atlas\"}");
    assertThat(strings(ended.json(), "agents")).containsExactly("atlas");
    TestServer.Got third = request("");
    assertThat(epoch(third).string("cause")).contains("requested");
    assertThat(third.text()).doesNotContain("<memory_update>");
  }

  @Test
  void aPromptIsWhatTheAgentWouldBeTold() {
    List<String> system = strings(served.get(A + "/prompt?include_schemas=true").json(), "system");
    assertThat(system.get(0)).startsWith("You are an agent with lasting memory.");
    assertThat(system.get(1))
        .isEqualTo(
            "<block:persona permission=\"ReadWrite\">\nschema: Text\n\nI am Atlas.\n"
                + "</block:persona>");
    assertThat(system.get(2)).contains("What I know\nschema: Text\n\ntea\n");
    assertThat(system.get(3)).startsWith("<recent_activity>").contains("you: updated memory");
    assertThat(
            strings(served.get(A + "/prompt?include_descriptions=false").json(), "system").get(2))
        .isEqualTo("<block:notes permission=\"ReadWrite\">\ntea\n</block:notes>");
  }

  @Test
  void aBadConfigurationIsRefused() {
    TestServer.Got got = request(",\"config\":{\"max_tokens\":100,\"history_tokens\":200}");
    assertThat(got.status()).isEqualTo(400);
    assertThat(got.code()).isEqualTo("invalid_config");
    assertThat(request(",\"config\":{\"tokens\":1}").code()).isEqualTo("unknown_field");
    TestServer.Got small =
        request(
            ",\"config\":{\"max_tokens\":120,\"memory_tokens\":10,\"history_tokens\":10,"
                + "\"reserved_response_tokens\":100}");
    assertThat(small.code()).isEqualTo("budget_too_small");
    assertThat(small.string("detail"))
        .as("says which part needs the room")
        .contains("Instructions and memory need ", "tools 0", "raise max_tokens");
    assertThat(small.json().keys())
        .contains("instructions_and_memory", "tools", "memory_update", "history");
    assertThat(request(",\"tool_rules\":[{\"type\":\"cooldown\",\"tool\":\"t\"}]").code())
        .isEqualTo("rule_invalid");
  }
}

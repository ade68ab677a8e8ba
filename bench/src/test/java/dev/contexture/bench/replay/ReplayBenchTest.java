package dev.contexture.bench.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayBenchTest {
  @TempDir Path folder;

  private List<JsonObject> replay(List<String> events, String... options) throws IOException {
    Path file = Files.write(folder.resolve("s.events.jsonl"), events);
    List<String> args = new ArrayList<>(List.of(file.toString()));
    args.addAll(List.of(options));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(new ReplayBench().run(args, new PrintStream(out, true, UTF_8))).isZero();
    return out.toString(UTF_8).lines().map(JsonValue::parse).map(JsonObject.class::cast).toList();
  }

  private static String said(String role, String kind, String text, String rest) {
    return "{\"ev\":\"block\",\"role\":\""
        + role
        + "\",\"kind\":\""
        + kind
        + "\",\"text\":\""
        + text
        + "\",\"turn\":1,\"round\":1"
        + rest
        + "}";
  }

  private static List<String> session(int rounds) {
    return session("be kind", rounds);
  }

  private static List<String> session(String system, int rounds) {
    List<String> events = new ArrayList<>();
    events.add("{\"ev\":\"head\",\"system\":\"" + system + "\",\"tools\":[]}");
    events.add(said("user", "text", "do it", ""));
    events.add("{\"ev\":\"request\"}");
    for (int i = 0; i < rounds; i++) {
      String id = ",\"call_id\":\"0.c" + i % 3 + "\"";
      events.add(said("assistant", "tool_use", "run it \\\"" + i + "\\\"", id));
      events.add(said("tool", "tool_result", "line_" + i + " word".repeat(200), id));
      events.add("{\"ev\":\"request\"}");
    }
    return events;
  }

  @Test
  void printsOneRequestPerCallWithMarksAndPairs() throws IOException {
    String system = "be kind. ".repeat(1_000); // long enough to be cached
    List<JsonObject> requests = replay(session(system, 1), "--limit", "16000");
    assertThat(requests).hasSize(2);
    assertThat(requests.get(0).find("system").orElseThrow().toJson())
        .isEqualTo("[{\"text\":\"" + system + "\",\"cache\":true}]");
    assertThat(requests.get(1).find("messages").orElseThrow().toJson())
        .contains("\"do it\"", "\"type\":\"tool_use\"", "\"run it \\\"0\\\"\"")
        .contains("\"type\":\"tool_result\"", "line_0 word", "\"cache\":true");
  }

  @Test
  void staysWithinTheLimitAlsoWithRepeatedIds() throws IOException {
    for (String policy : CompactionPolicy.names()) {
      List<JsonObject> requests = replay(session(40), "--limit", "2000", "--policy", policy);
      assertThat(requests).hasSize(41);
      for (JsonObject request : requests) {
        assertThat(request.find("messages").orElseThrow().toJson().length()).isLessThan(10_000);
      }
      assertThat(requests.getLast().toJson()).contains("[SUMMARY] covers", "do it", "line_39");
    }
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    for (List<String> args :
        List.of(
            List.<String>of(),
            List.of("--limit"),
            List.of("--limit", "many"),
            List.of("--policy", "thrifty"),
            List.of("absent.jsonl", "--limit", "5"))) {
      assertThatThrownBy(() -> new ReplayBench().run(args, System.out))
          .isInstanceOf(UsageException.class);
    }
  }
}

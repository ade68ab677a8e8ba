package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerMetricsTest {
  private static final Pattern SERIES =
      Pattern.compile("(?m)^([a-z_]+)(\\{([^}]*)})? ([0-9.E+-]+)$");

  @TempDir Path directory;

  private static void work(TestServer served) {
    served.post(C + "/turns", "{\"prompt\":\"platypus\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}");
    served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"a\"},{\"text\":\"b\"}]}");
    served.post(C + "/render", "{}");
    served.post(C + "/render", "{\"read_only\":true}");
    Got request =
        served.post(C + "/request", "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}");
    served.post(
        C + "/responses",
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"request_id\":\""
            + request.string("request_id")
            + "\",\"response\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\","
            + "\"model\":\"claude-opus-5\",\"content\":[{\"type\":\"text\",\"text\":\"ok\"}],"
            + "\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":7,\"output_tokens\":5,"
            + "\"cache_read_input_tokens\":11,\"cache_creation_input_tokens\":13}}}");
    served.post(C + "/turns/t1/finish", "{}");
    for (int i = 2; i <= 9; i++) {
      String words = ("word" + i + " ").repeat(60);
      served.post(C + "/turns", "{\"turn_id\":\"t" + i + "\",\"prompt\":\"ask " + words + "\"}");
      served.post(C + "/turns/t" + i + "/finish", "{\"completion\":\"" + words + "\"}");
    }
    served.post(C + "/compact", "{}");
    served.post("/v1/search", "{\"query\":\"platypus\"}");
    served.get("/v1/nope");
  }

  @Test
  void countsWhatHappens() {
    try (TestServer served = new TestServer(directory)) {
      work(served);
      Got got = served.get("/metrics");
      assertThat(got.contentType()).startsWith("text/plain; version=0.0.4");
      assertThat(got.text())
          .contains(
              "contexture_renders_total 2.0",
              "contexture_searches_total{mode=\"fts\"} 1.0",
              "contexture_requests_built_total{prefix=\"rebased\"} 1.0",
              "contexture_model_input_tokens_total{cache=\"read\"} 11.0",
              "contexture_model_input_tokens_total{cache=\"write\"} 13.0",
              "contexture_model_input_tokens_total{cache=\"none\"} 7.0",
              "contexture_model_output_tokens_total 5.0",
              "contexture_changes_total{type=\"turn\"}",
              "contexture_http_active 1.0",
              "contexture_event_streams 0.0",
              "contexture_index_lag",
              "contexture_store_waiting 0.0",
              "contexture_cache_marks_total",
              "jvm_memory_used_bytes",
              "contexture_http_requests_seconds_count{method=\"GET\",route=\"none\",status=\"404\"}"
                  + " 1")
          .containsPattern("contexture_appends_total [1-9][0-9]\\.0")
          .contains("contexture_compactions_total{status=\"completed\"} 1.0");
    }
  }

  @Test
  void hasNoLabelThatACallerChose() {
    try (TestServer served = new TestServer(directory)) {
      work(served);
      served.send("GET", C, null, "X-Tenant", "platypus");
      served.send("PLATYPUS", C, null);
      assertThat(served.get("/metrics").text().toLowerCase(java.util.Locale.ROOT))
          .doesNotContain("platypus", "atlas", "\"t1\"", "\"c1\"", "claude");
    }
  }

  @Test
  void documentsEveryNumber() throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    String page = Files.readString(root.resolve("docs/http.md"));
    try (TestServer served = new TestServer(directory)) {
      work(served);
      TreeSet<String> names = new TreeSet<>();
      Matcher series = SERIES.matcher(served.get("/metrics").text());
      while (series.find()) {
        if (series.group(1).startsWith("contexture_")) {
          names.add(series.group(1).replaceFirst("_seconds_(bucket|count|sum|max)$", "_seconds"));
        }
      }
      assertThat(names).hasSizeGreaterThan(12);
      assertThat(names).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }
  }
}

package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/http.md} lists the routes that there are, and the walk-throughs work. */
class ServerDocsTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z]+ [^`]+)` \\| ?([^|]*)\\|");
  private static final Pattern QUERY = Pattern.compile("`\\?([a-z_&]+)`");
  private static final Pattern WALK =
      Pattern.compile("(?s)<!-- walk-through[^>]*-->\\s*```bash\\n(.*?)```");

  @TempDir Path directory;

  @Test
  void documentsTheRoutesThatThereAre() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    Matcher row = ROW.matcher(page("docs/http.md"));
    while (row.find()) {
      String title =
          row.group(1)
              .replaceFirst(" C(?=/|$)", " /v1/users/{user}/conversations/{conversation}")
              .replaceFirst(" A(?=/|$)", " /v1/agents/{agent}");
      Matcher query = QUERY.matcher(row.group(2));
      documented.put(title, query.find() ? sorted(query.group(1).split("&")) : "");
    }
    Map<String, String> there = new TreeMap<>();
    try (TestServer served = new TestServer(directory)) {
      for (Route route : served.server().routes()) {
        there.put(route.title(), sorted(route.queries().toArray(String[]::new)));
      }
    }
    assertThat(documented).isEqualTo(there);
  }

  private static String sorted(String[] names) {
    java.util.Arrays.sort(names);
    return String.join(" ", names);
  }

  @Test
  void theWalkThroughOfTheReadmeRuns() throws Exception {
    try (TestServer served = new TestServer(directory.resolve("data"))) {
      assertThat(walk("README.md", served))
          .contains("\"tool_call_id\":\"tc_toolu_1\"", "\"done\":true", "\"status\":\"complete\"");
      assertThat(served.post("/v1/users/u42/conversations/c1/render", "{}").text())
          .contains("Weather in Oslo?", "4 degrees, light rain", "4 degrees and light rain.");
    }
  }

  @Test
  void theWalkThroughOfTheGuideRuns() throws Exception {
    try (TestServer served = new TestServer(directory.resolve("data"))) {
      assertThat(walk("docs/guide.md", served))
          .contains(
              "I keep my answers short.",
              "10 to 18",
              "Closed on 17 May.",
              "\"mode_used\"",
              "no_reduction");
      assertThat(served.get("/v1/agents/atlas/blocks/notes").text()).contains("Ann lives in Oslo.");
    }
  }

  /** Runs the commands of a page and returns what they printed. */
  private String walk(String page, TestServer served) throws Exception {
    Matcher block = WALK.matcher(page(page));
    assertThat(block.find()).isTrue();
    Path script = directory.resolve("walk.sh");
    Files.writeString(script, "set -euo pipefail\n" + block.group(1));
    Path printed = directory.resolve("printed");
    ProcessBuilder bash = new ProcessBuilder("bash", script.toString());
    bash.directory(directory.toFile());
    bash.environment().put("CONTEXTURE_URL", served.server().address());
    Process process = bash.redirectErrorStream(true).redirectOutput(printed.toFile()).start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(printed)).isZero();
    return Files.readString(printed);
  }

  private static String page(String name) throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    return Files.readString(root.resolve(name));
  }
}

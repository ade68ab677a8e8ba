package dev.contexture.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.bench.replay.ReplayBench;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.token.TokenCounter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Real sessions, where they are at hand ({@code -Dcontexture.data=DIR} or beside the project):
 * every request fits, no pair of call and result is separated, and compactions do not come more
 * often over time. Every fifth session, to stay quick.
 */
class RecordedSessionsTest {
  private static final long LIMIT = 16_000;
  private static final int STRIDE = 5;

  @TestFactory
  Stream<DynamicTest> fitAndKeepTheirPairs() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path session : sessions()) {
      for (String policy : CompactionPolicy.names()) {
        String name = session.getFileName() + " " + policy;
        tests.add(DynamicTest.dynamicTest(name, () -> check(session, policy)));
      }
    }
    return tests.stream();
  }

  private static List<Path> sessions() throws IOException {
    String root = Objects.requireNonNull(System.getProperty("contexture.root"));
    String data = System.getProperty("contexture.data");
    Path folder = data == null ? Path.of(root, "../shared/data") : Path.of(data);
    Path sessions = folder.resolve("sessions");
    if (!Files.isDirectory(sessions)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(sessions)) {
      List<Path> all =
          files.filter(file -> file.toString().endsWith(".events.jsonl.gz")).sorted().toList();
      return all.stream().filter(file -> all.indexOf(file) % STRIDE == STRIDE - 1).toList();
    }
  }

  private static void check(Path session, String policy) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> args =
        List.of(session.toString(), "--limit", Long.toString(LIMIT), "--policy", policy);
    new ReplayBench().run(args, new PrintStream(out, true, UTF_8));
    List<JsonObject> requests =
        out.toString(UTF_8).lines().map(JsonValue::parse).map(JsonObject.class::cast).toList();
    requests.forEach(RecordedSessionsTest::check);
    if (!policy.equals("standard")) {
      checkGaps(requests);
    }
  }

  /** Compactions do not come more and more often. */
  private static void checkGaps(List<JsonObject> requests) {
    List<Integer> gaps = new ArrayList<>();
    String before = "";
    int gap = 0;
    for (JsonObject request : requests) {
      JsonObject first = objects(request.array("messages").orElseThrow()).getFirst();
      String text =
          objects(first.array("content").orElseThrow()).getFirst().string("text").orElse("");
      gap++;
      if (text.startsWith("[SUMMARY]") && !text.equals(before)) {
        gaps.add(gap);
        gap = 0;
        before = text;
      }
    }
    gaps = gaps.subList(Math.min(1, gaps.size()), gaps.size()); // up to the first nothing was cut
    int half = gaps.size() / 2;
    if (half > 4) {
      double early = gaps.subList(0, half).stream().mapToInt(i -> i).average().orElseThrow();
      double late =
          gaps.subList(gaps.size() - half, gaps.size()).stream()
              .mapToInt(i -> i)
              .average()
              .orElseThrow();
      assertThat(late).as(gaps.toString()).isGreaterThan(early * 0.6);
    }
  }

  private static void check(JsonObject request) {
    List<JsonObject> parts = new ArrayList<>(objects(request.array("system").orElseThrow()));
    for (JsonObject message : objects(request.array("messages").orElseThrow())) {
      parts.addAll(objects(message.array("content").orElseThrow()));
    }
    long tokens = 0;
    List<String> open = new ArrayList<>();
    for (JsonObject part : parts) {
      tokens += TokenCounter.CHARS4.count(part.string("text").orElse(""));
      String id = part.string("id").orElse("");
      switch (part.string("type").orElse("")) {
        case "tool_use" -> open.add(id);
        case "tool_result" -> assertThat(open.remove(id)).isTrue();
        default -> assertThat(id).isEmpty();
      }
    }
    assertThat(open).isEmpty();
    assertThat(tokens).isLessThanOrEqualTo(LIMIT);
    assertThat(parts.stream().filter(part -> part.isTrue("cache"))).hasSizeLessThanOrEqualTo(4);
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.items().stream().map(JsonObject.class::cast).toList();
  }
}

package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.output.Printer;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {
  private static final int TURNS = 30;

  @TempDir Path folder;

  private Path session() throws IOException {
    StringBuilder lines =
        new StringBuilder("{\"ev\":\"head\",\"system\":\"Be brief.\",\"tools\":[]}\n");
    for (int turn = 1; turn <= TURNS; turn++) {
      String text = "\",\"kind\":\"text\",\"text\":\"oats and barley " + "and rye ".repeat(60);
      lines.append("{\"ev\":\"block\",\"role\":\"user" + text + "\",\"turn\":" + turn + "}\n");
      lines.append("{\"ev\":\"request\"}\n");
      lines.append("{\"ev\":\"block\",\"role\":\"assistant" + text + "\",\"turn\":" + turn + "}\n");
    }
    return Files.writeString(folder.resolve("s.events.jsonl"), lines);
  }

  @Test
  void drawsHowTheContextEvolves() throws IOException {
    Run run = Run.of("replay", session().toString(), "--max-tokens", "3000");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "HISTORY",
            "^ compacted:",
            "30 requests",
            "cache: read",
            "tokens written again",
            "USD per million tokens")
        .containsPattern("(?m)^ +5  \\[#*\\+*-* *\\] +[0-9]+");
    assertThat(run.err()).contains("replay: 100 %");
  }

  @Test
  void printsALineOfJsonForEachRequest() throws IOException {
    Run run =
        Run.of(
            "replay",
            session().toString(),
            "--max-tokens",
            "3000",
            "--policy",
            "economical",
            "--json");
    List<JsonObject> lines =
        run.out().lines().map(line -> (JsonObject) JsonValue.parse(line)).toList();
    assertThat(lines).hasSize(TURNS);
    assertThat(lines.getLast().keys()).contains("request", "tokens", "cache");
    assertThat(lines).anyMatch(line -> line.has("compaction"));
    for (JsonObject line : lines) {
      JsonObject tokens = line.object("tokens").orElseThrow();
      assertThat(Printer.number(tokens, "total"))
          .isEqualTo(
              Printer.number(tokens, "system")
                  + Printer.number(tokens, "tools")
                  + Printer.number(tokens, "summary")
                  + Printer.number(tokens, "history"))
          .isLessThanOrEqualTo(3_000);
    }
    long read = lines.stream().mapToLong(line -> Printer.number(cache(line), "read")).sum();
    assertThat(read).isPositive();
    assertThat(run.err()).isEmpty();
  }

  private static JsonObject cache(JsonObject line) {
    return line.object("cache").orElseThrow();
  }

  /** A cache that lives for five minutes has nothing left after an hour. */
  @Test
  void letsTimePassBetweenRequests() throws IOException {
    Run run = Run.of("replay", session().toString(), "--gap", "3600", "--json");
    assertThat(run.out().lines().map(line -> (JsonObject) JsonValue.parse(line)))
        .allSatisfy(line -> assertThat(Printer.number(cache(line), "read")).isZero());
  }

  @Test
  void asksOtherModels() throws IOException {
    for (String provider : List.of("openai_chat", "openai_responses")) {
      Run run =
          Run.of(
              "replay", session().toString(), "--model", "gpt-5", "--provider", provider, "--json");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out().lines()).hasSize(TURNS);
    }
  }

  @Test
  void refusesWhatItCannotReplay() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.jsonl"), "{\"ev\":\"dance\"}\n");
    Path empty = Files.writeString(folder.resolve("empty.jsonl"), "{\"ev\":\"head\"}\n");
    assertThat(Run.of("replay", bad.toString()).err()).contains("line 1", "head, block or request");
    assertThat(Run.of("replay", empty.toString()).err()).contains("TRACE is 'no request'");
    assertThat(Run.of("replay", "nowhere").err()).contains("code: not_found");
    String good = session().toString();
    assertThat(Run.of("replay", good, "--max-tokens", "0").err()).contains("--max-tokens is '0'");
    assertThat(Run.of("replay", good, "--gap", "-1").err()).contains("--gap is '-1.0'");
    assertThat(Run.of("replay", good, "--policy", "x").err()).contains("invalid_config");
    assertThat(Run.of("replay", good, "--model", "x").err()).contains("invalid_argument");
    assertThat(Run.of("replay", good, "--provider", "gemini").err()).contains("--provider");
  }
}

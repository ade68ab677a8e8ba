package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P-45: {@code contexture simulate}. */
class SimulateCommandTest {
  @TempDir Path folder;

  private static String body(String question) {
    return "{\"model\":\"claude-opus-5\",\"system\":[{\"type\":\"text\",\"text\":\""
        + "You are Atlas. ".repeat(400)
        + "\",\"cache_control\":{\"type\":\"ephemeral\"}}],\"messages\":[{\"role\":\"user\","
        + "\"content\":[{\"type\":\"text\",\"text\":\""
        + question
        + "\"}]}]}";
  }

  private String trace(String... lines) throws IOException {
    return Files.write(folder.resolve("trace.jsonl"), List.of(lines)).toString();
  }

  @Test
  void saysWhatItCostsAndWhy() throws IOException {
    String late = "{\"t\":400,\"request\":" + body("b") + "}";
    String file = trace(body("a"), body("b"), late);
    Run run =
        Run.of("simulate", file, "--provider", "anthropic", "--explain", "--what-if", "ttl=1h");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("written again after compactions", "5 USD per million tokens")
        .contains("3 requests: read ", "efficiency", "request 2: expired", "what if ttl=1h: cost");
  }

  @Test
  void printsJson() throws IOException {
    Run run = Run.of("--json", "simulate", trace(body("a")), "--provider", "anthropic");
    JsonObject json = (JsonObject) JsonValue.parse(run.out());
    assertThat(json.keys()).containsExactly("cost_unit", "requests", "total");
  }

  @Test
  void comparesWithOtherOffsetsAndProviders() throws IOException { // P-49
    String file = trace(body("a"));
    for (String choice :
        List.of("k=2", "model=claude-haiku-4-5", "provider=gemini/gemini-3.5-flash")) {
      assertThat(Run.of("simulate", file, "--provider", "anthropic", "--what-if", choice).out())
          .contains("what if " + choice + ": cost ");
    }
    for (String choice : List.of("k=0", "k=x", "ttl=2h", "provider=gemini", "x=1")) {
      Run refused = Run.of("simulate", file, "--provider", "anthropic", "--what-if", choice);
      assertThat(refused.exitCode()).as(choice).isEqualTo(Main.USAGE);
      assertThat(refused.err()).contains("invalid_argument");
    }
  }

  @Test
  void refusesWhatItCannotRead() throws IOException {
    assertThat(Run.of("simulate", trace("{"), "--provider", "anthropic").exitCode()).isEqualTo(1);
    assertThat(Run.of("simulate", trace(""), "--provider", "anthropic").err())
        .contains("0 requests");
    String file = trace(body("a"));
    assertThat(Run.of("simulate", file, "--provider", "acme").err()).contains("provider");
    assertThat(Run.of("simulate", file, "--provider", "anthropic", "--what-if", "x").err())
        .contains("--what-if");
  }
}

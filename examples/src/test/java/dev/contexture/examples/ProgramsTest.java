package dev.contexture.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs with a {@code main} run as the guide says. */
@Timeout(120)
class ProgramsTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

  private String said() {
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void oneNeedsNoKey() {
    OfflineAgent.run(directory, out);
    assertThat(said())
        .contains(
            "POST /v1/messages {anthropic-version=2026-10-21, content-type=application/json}",
            "prefix: rebased",
            "tool get_weather {\"city\":\"Oslo\"}",
            "prefix: extends",
            "answer: 4 degrees and light rain.");
  }

  @Test
  void oneTellsOpenTelemetry() {
    TelemetryAgent.run(directory, out);
    assertThat(said())
        .contains(
            "span contexture.request {",
            "span chat claude-opus-5 {",
            "span contexture.record {",
            "metric gen_ai.client.inference.usage.input_tokens {");
  }

  @Test
  void oneIsAServiceOfLangChain4jThatGoesOnInAnotherProcess() throws Exception {
    LangChainAgent.run(directory, "Weather in Oslo?", out);
    written.reset();
    LangChainAgent.run(directory, "And tomorrow?", out);
    assertThat(said())
        .contains(
            "Weather in Oslo?", "Oslo: 4 degrees, light rain", "answer: 4 degrees and light rain.");
    assertBlocksAreOf("LangChainAgent", "docs/langchain4j.md");
  }

  @Test
  void oneIsAChatClientOfSpringThatGoesOnInAnotherProcess() throws Exception {
    SpringAgent.run(directory, "Weather in Oslo?", out);
    written.reset();
    SpringAgent.run(directory, "And tomorrow?", out);
    assertThat(said())
        .contains(
            "Weather in Oslo?", "Oslo: 4 degrees, light rain", "answer: 4 degrees and light rain.");
    assertBlocksAreOf("SpringAgent", "docs/spring-ai.md");
  }

  @Test
  void oneIsAnApplicationOfSpringBootThatGoesOnWhenItStartsAgain() {
    SpringBootAgent.run(directory, "Weather in Oslo?", out);
    written.reset();
    SpringBootAgent.run(directory, "And tomorrow?", out);
    assertThat(said())
        .contains(
            "Weather in Oslo?", "Oslo: 4 degrees, light rain", "answer: 4 degrees and light rain.");
  }

  @Test
  void oneIsAnAgentOfAdkThatGoesOnInAnotherProcess() throws Exception {
    AdkAgent.run(directory, "Weather in Oslo?", out);
    written.reset();
    AdkAgent.run(directory, "And tomorrow?", out);
    assertThat(said())
        .contains(
            "Weather in Oslo?", "Oslo: 4 degrees, light rain", "answer: 4 degrees and light rain.");
    assertBlocksAreOf("AdkAgent", "docs/adk.md");
  }

  /** What a page shows is what its program does. */
  private static void assertBlocksAreOf(String program, String page) throws Exception {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    Path source =
        root.resolve("examples/src/main/java/dev/contexture/examples/" + program + ".java");
    List<MatchResult> blocks =
        Pattern.compile("(?s)```java\\n(.*?)```")
            .matcher(Files.readString(root.resolve(page)))
            .results()
            .toList();
    assertThat(blocks).isNotEmpty();
    for (MatchResult block : blocks) {
      assertThat(flat(Files.readString(source))).contains(flat(block.group(1)));
    }
  }

  private static String flat(String java) {
    return java.replaceAll("\\s+", "");
  }

  @Test
  void theOtherSaysWhichKeyItMisses() throws Exception {
    assertThat(WeatherAgent.run(Map.of(), directory, "", out)).isEqualTo(2);
    assertThat(said()).contains("ANTHROPIC_API_KEY", "OfflineAgent");
  }

  @Test
  void theOtherAsksARealModel() throws Exception {
    try (ScriptedModel model =
        ScriptedModel.start("/v1/messages")
            .answers(
                """
                {"content":[{"type":"tool_use","id":"t1","name":"get_weather",\
                "input":{"city":"Oslo"}}],"stop_reason":"tool_use"}\
                """)
            .answers(
                """
                {"content":[{"type":"text","text":"Rain."}],"stop_reason":"end_turn"}\
                """)) {
      String url = model.uri("").toString();
      Map<String, String> environment =
          Map.of("ANTHROPIC_API_KEY", "none", "CONTEXTURE_MODEL_URL", url);
      assertThat(WeatherAgent.run(environment, directory, "Weather?", out)).isZero();
    }
    assertThat(said().strip()).isEqualTo("Rain.");
  }
}

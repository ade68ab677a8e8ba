package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.cli.output.Printer;
import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code contexture models}: what is known about models, and where it comes from. */
class ModelsCommandTest {
  private static final String LITELLM =
      "{\"sample_spec\":{\"litellm_provider\":\"one of many\"},\"gpt-9\":{\"litellm_provider\":"
          + "\"openai\",\"mode\":\"chat\",\"max_input_tokens\":700000,\"max_output_tokens\":9000,"
          + "\"input_cost_per_token\":2e-06,\"output_cost_per_token\":1e-05},"
          + "\"gpt-5\":{\"litellm_provider\":\"openai\",\"mode\":\"chat\",\"max_input_tokens\":"
          + "272000,\"max_output_tokens\":128000,\"input_cost_per_token\":1e-06,"
          + "\"output_cost_per_token\":8e-06}}";

  @TempDir Path folder;

  @Test
  void listsWindowsOutputsPricesAndSources() {
    Run run = Run.of("models", "gpt-4.1", "--data", folder.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("PROVIDER", "WINDOW", "1047576", "32768", "models.dev")
        .contains("USD per million tokens");
    JsonObject listed =
        Printer.objects(
                Run.of("--json", "models", "gpt-4.1", "--data", folder.toString()).json(), "models")
            .getFirst();
    assertThat(listed.string("model")).contains("gpt-4.1");
    assertThat(Printer.number(listed, "context_window")).isEqualTo(1_047_576);
    assertThat(listed.toJson()).contains("\"prices\":[{\"input\":2,\"output\":8", "\"sources\"");
  }

  @Test
  void takesFactsOverForServersAndPrograms() throws IOException {
    Path file = Files.writeString(folder.resolve("prices.json"), LITELLM);
    Path data = folder.resolve("data");
    Run run = Run.of("models", "--update", file.toString(), "--data", data.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("changed openai/gpt-5 prices: ", "1 models added", "0 models skipped");
    assertThat(data.resolve("models.json")).exists();
    assertThat(Run.of("models", "gpt-9", "--data", data.toString()).out()).contains("700000");
    try (Contexture engine = Contexture.open(data)) {
      assertThat(engine.providers().profile(new ModelRef("openai", "gpt-9")).orElseThrow())
          .satisfies(model -> assertThat(model.contextWindow()).isEqualTo(700_000));
    }
  }

  @Test
  void aFailedUpdateChangesNothing() throws IOException {
    Path file = Files.writeString(folder.resolve("prices.json"), "{\"no\":\"catalogue\"}");
    Path data = folder.resolve("data");
    Run run = Run.of("models", "--update", file.toString(), "--data", data.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("invalid_config", "models.dev", "LiteLLM");
    assertThat(data).doesNotExist();
  }

  @Test
  void filesAndSettingsOverrideSingleFacts() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("own.json"),
            "{\"schemaVersion\":1,\"models\":[{\"id\":\"gpt-5\",\"maxOutput\":64000}]}");
    Run run =
        Run.with(
            Map.of("CONTEXTURE_MODEL_FACT", "gpt-5.context_window=300000"),
            "models",
            "openai/gpt-5",
            "--models",
            file.toString(),
            "--data",
            folder.toString());
    assertThat(run.out()).containsPattern("gpt-5 +300000 +64000 .*own.json, .*setting");
  }
}

package dev.contexture.examples;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.request.ToolDef;
import dev.contexture.turn.ToolAnswer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An agent with a real model: it takes {@code ANTHROPIC_API_KEY} or {@code OPENAI_API_KEY} from the
 * environment, a question from the command line, and keeps the conversation in {@code
 * contexture-data}. {@code CONTEXTURE_MODEL} names another model, {@code CONTEXTURE_MODEL_URL}
 * another host.
 */
public final class WeatherAgent {
  private static final ToolDef WEATHER =
      new ToolDef(
          "get_weather",
          "The weather in a city now",
          "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},"
              + "\"required\":[\"city\"]}");
  private static final int NO_KEY = 2;

  private WeatherAgent() {}

  /**
   * The provider to ask.
   *
   * @param key the variable that holds the key
   * @param host where it is asked
   * @param path of the address
   * @param model by default
   */
  private record Provider(String key, String host, String path, String model) {
    Map<String, String> headers(String secret) {
      return key.startsWith("ANTHROPIC")
          ? Map.of("x-api-key", secret, "anthropic-version", "2026-10-21")
          : Map.of("authorization", "Bearer " + secret);
    }
  }

  private static final List<Provider> PROVIDERS =
      List.of(
          new Provider(
              "ANTHROPIC_API_KEY", "https://api.anthropic.com", "/v1/messages", "claude-opus-5"),
          new Provider(
              "OPENAI_API_KEY", "https://api.openai.com", "/v1/chat/completions", "gpt-5.6-terra"));

  /** Asks what the command line says. */
  public static void main(String[] args) throws IOException, InterruptedException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    int status = run(System.getenv(), Path.of("contexture-data"), String.join(" ", args), out);
    if (status != 0) {
      System.exit(status);
    }
  }

  static int run(Map<String, String> environment, Path directory, String asked, PrintStream out)
      throws IOException, InterruptedException {
    Optional<Provider> found =
        PROVIDERS.stream().filter(known -> environment.containsKey(known.key)).findFirst();
    if (found.isEmpty()) {
      out.println("Set ANTHROPIC_API_KEY or OPENAI_API_KEY; OfflineAgent needs neither.");
      return NO_KEY;
    }
    Provider provider = found.orElseThrow();
    String host = either(environment.get("CONTEXTURE_MODEL_URL"), provider.host);
    ModelClient client =
        new ModelClient(
            URI.create(host + provider.path),
            provider.headers(either(environment.get(provider.key), "")),
            false,
            Duration.ofSeconds(1));
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = cx.browser(Scope.of("local", "examples").user("me").conversation("c1"));
      String model = either(environment.get("CONTEXTURE_MODEL"), provider.model);
      AgentLoop agent =
          new AgentLoop(
              chat, client, model, List.of(WEATHER), call -> ToolAnswer.text("4 degrees, rain"));
      out.println(agent.ask(asked.isBlank() ? "Weather in Oslo?" : asked));
    }
    return 0;
  }

  private static String either(@Nullable String given, String absent) {
    return given == null || given.isBlank() ? absent : given;
  }
}

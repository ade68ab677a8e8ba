package dev.contexture.examples;

import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.Runner;
import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.FunctionTool;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import dev.contexture.Contexture;
import dev.contexture.adk.AdkContext;
import io.reactivex.rxjava3.core.Flowable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * An agent of Google's ADK over the engine, without a key: the model's answers are written down
 * here. It shows what the model is sent, and that a second process goes on with the session.
 */
public final class AdkAgent {
  private AdkAgent() {}

  /** The tool. ADK calls it by reflection. */
  public static final class Forecast {
    private Forecast() {}

    @Schema(name = "weather", description = "The weather in a city now")
    public static Map<String, Object> weather(
        @Schema(name = "city", description = "the city") String city) {
      return Map.of("weather", city + ": 4 degrees, light rain");
    }
  }

  /** Answers without a network: asks for the weather, then tells it. */
  private static final class OfflineLlm extends BaseLlm {
    private final PrintStream out;

    OfflineLlm(PrintStream out) {
      super("gemini-3.7-flash");
      this.out = out;
    }

    @Override
    public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
      request.contents().forEach(content -> out.println("  " + content.toJson()));
      Part last = request.contents().getLast().parts().orElseThrow().getLast();
      FunctionCall call =
          FunctionCall.builder().name("weather").args(Map.of("city", "Oslo")).build();
      Part said =
          last.functionResponse().isEmpty()
              ? Part.builder().functionCall(call).build()
              : Part.fromText("4 degrees and light rain.");
      return Flowable.just(
          LlmResponse.builder()
              .content(Content.builder().role("model").parts(said).build())
              .build());
    }

    @Override
    public BaseLlmConnection connect(LlmRequest request) {
      throw new UnsupportedOperationException("live");
    }
  }

  /** Runs it in a new folder. */
  public static void main(String[] args) throws IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    Path directory = Files.createTempDirectory("contexture-example");
    run(directory, "Weather in Oslo?", out);
    run(directory, "And tomorrow?", out); // as if the process had ended in between
  }

  static void run(Path directory, String question, PrintStream out) {
    try (Contexture cx = Contexture.open(directory)) {
      LlmAgent agent =
          LlmAgent.builder()
              .name("atlas")
              .model(new OfflineLlm(out))
              .instruction("You are Atlas. Be brief.")
              .tools(FunctionTool.create(Forecast.class, "weather"))
              .build();
      AdkContext context = AdkContext.builder(cx, "acme").model("gemini-3.7-flash").build();
      Runner runner =
          Runner.builder()
              .agent(agent)
              .appName("shop")
              .sessionService(context.sessions())
              .memoryService(context.memory())
              .plugins(context.plugin())
              .build();
      RunConfig config = RunConfig.builder().autoCreateSession(true).build();
      out.println("user: " + question);
      runner
          .runAsync("u42", "s1", Content.fromParts(Part.fromText(question)), config)
          .blockingForEach(
              event -> {
                if (event.finalResponse()) {
                  out.println("answer: " + event.content().orElseThrow().text());
                }
              });
    }
  }
}

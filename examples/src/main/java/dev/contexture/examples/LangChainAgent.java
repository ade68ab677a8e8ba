package dev.contexture.examples;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.langchain4j.LangChainContext;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An AI service of LangChain4j over the engine, without a key: the model's answers are written down
 * here. It shows what the model is sent, and that a second process goes on with the conversation.
 */
public final class LangChainAgent {
  private LangChainAgent() {}

  interface Assistant {
    @dev.langchain4j.service.SystemMessage("You are Atlas. Be brief.")
    String chat(@MemoryId String id, @dev.langchain4j.service.UserMessage String text);
  }

  static final class Weather {
    @Tool("The weather in a city now")
    String weather(@P("the city") String city) {
      return city + ": 4 degrees, light rain";
    }
  }

  /** Answers without a network: asks for the weather, then tells it. */
  private static ChatModel model(PrintStream out) {
    return new ChatModel() {
      @Override
      public ChatResponse doChat(ChatRequest request) {
        request.messages().forEach(message -> out.println("  " + message));
        boolean asked = request.messages().getLast() instanceof UserMessage;
        ToolExecutionRequest call =
            ToolExecutionRequest.builder()
                .id("call_1")
                .name("weather")
                .arguments("{\"city\":\"Oslo\"}")
                .build();
        return ChatResponse.builder()
            .aiMessage(asked ? AiMessage.from(call) : AiMessage.from("4 degrees and light rain."))
            .build();
      }
    };
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
    ChatModel model = model(out);
    try (Contexture cx = Contexture.open(directory)) {
      LangChainContext context =
          LangChainContext.builder(cx, Scope.of("acme", "shop")).model("claude-opus-5").build();
      Assistant assistant =
          context
              .wire(AiServices.builder(Assistant.class).chatModel(model).tools(new Weather()))
              .build();
      out.println("user: " + question);
      out.println("answer: " + assistant.chat("u42/c1", question));
    }
  }
}

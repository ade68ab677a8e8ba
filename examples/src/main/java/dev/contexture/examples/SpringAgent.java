package dev.contexture.examples;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.springai.SpringAiContext;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

/**
 * A ChatClient of Spring AI over the engine, without a key: the model's answers are written down
 * here. It shows what the model is sent, and that a second process goes on with the conversation.
 */
public final class SpringAgent {
  private SpringAgent() {}

  static final class Weather {
    @Tool(description = "The weather in a city now")
    String weather(@ToolParam(description = "the city") String city) {
      return city + ": 4 degrees, light rain";
    }
  }

  /** Answers without a network: asks for the weather, then tells it. */
  static ChatModel model(PrintStream out) {
    return new ChatModel() {
      @Override
      public ChatOptions getOptions() {
        return ToolCallingChatOptions.builder().build();
      }

      @Override
      public ChatResponse call(Prompt prompt) {
        prompt.getInstructions().forEach(message -> out.println("  " + message));
        boolean asked = prompt.getInstructions().getLast() instanceof UserMessage;
        AssistantMessage.ToolCall call =
            new AssistantMessage.ToolCall("call_1", "function", "weather", "{\"city\":\"Oslo\"}");
        AssistantMessage said =
            asked
                ? AssistantMessage.builder().content("").toolCalls(List.of(call)).build()
                : new AssistantMessage("4 degrees and light rain.");
        return new ChatResponse(List.of(new Generation(said)));
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
      SpringAiContext context =
          SpringAiContext.builder(cx, Scope.of("acme", "shop")).model("claude-opus-5").build();
      ChatClient client =
          context
              .wire(ChatClient.builder(model))
              .defaultSystem("You are Atlas. Be brief.")
              .defaultTools(new Weather())
              .build();
      out.println("user: " + question);
      String answer =
          client
              .prompt(question)
              .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "u42/c1"))
              .call()
              .content();
      out.println("answer: " + answer);
    }
  }
}

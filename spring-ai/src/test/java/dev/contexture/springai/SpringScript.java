package dev.contexture.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;

/** A chat model that answers as it is told, without a network, and keeps what it was sent. */
final class SpringScript implements ChatModel {
  final List<List<Message>> sent = new ArrayList<>();
  private final Function<Prompt, List<AssistantMessage>> script;

  /**
   * @param script the messages of an answer; several are generations of it
   */
  SpringScript(Function<Prompt, List<AssistantMessage>> script) {
    this.script = script;
  }

  /** Says one thing whatever it is asked. */
  static SpringScript saying(String text) {
    return new SpringScript(prompt -> List.of(new AssistantMessage(text)));
  }

  @Override
  public ChatOptions getOptions() {
    return ToolCallingChatOptions.builder().build();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    sent.add(List.copyOf(prompt.getInstructions()));
    List<Generation> generations =
        script.apply(prompt).stream()
            .map(
                message ->
                    new Generation(
                        message, ChatGenerationMetadata.builder().finishReason("stop").build()))
            .toList();
    return new ChatResponse(generations, about());
  }

  private ChatResponseMetadata about() {
    return ChatResponseMetadata.builder()
        .id("answer-" + sent.size())
        .model("scripted")
        .usage(new DefaultUsage(1_000 + sent.size(), 20, 1_020, Map.of(), 300L, 7L))
        .build();
  }

  /** Gives each message of an answer as a piece, its text letter by letter. */
  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    return Flux.defer(
        () -> {
          sent.add(List.copyOf(prompt.getInstructions()));
          List<ChatResponse> pieces = new ArrayList<>();
          for (AssistantMessage message : script.apply(prompt)) {
            String text = message.getText() == null ? "" : message.getText();
            for (String letter : text.split("")) {
              pieces.add(piece(message, letter, List.of()));
            }
            if (message.hasToolCalls()) {
              pieces.add(piece(message, "", message.getToolCalls()));
            }
          }
          pieces.add(new ChatResponse(List.of(), about()));
          return Flux.fromIterable(pieces);
        });
  }

  private static ChatResponse piece(
      AssistantMessage whole, String text, List<AssistantMessage.ToolCall> calls) {
    return new ChatResponse(
        List.of(
            new Generation(
                AssistantMessage.builder()
                    .content(text)
                    .properties(whole.getMetadata())
                    .toolCalls(calls)
                    .build())));
  }

  List<Message> last() {
    return sent.getLast();
  }

  /** Whether the user spoke last, so that a turn begins. */
  static boolean begins(Prompt prompt) {
    return prompt.getInstructions().getLast() instanceof UserMessage;
  }

  static AssistantMessage.ToolCall call(String id, String tool, String arguments) {
    return new AssistantMessage.ToolCall(id, "function", tool, arguments);
  }

  static AssistantMessage calling(AssistantMessage.ToolCall... calls) {
    return AssistantMessage.builder().content("").toolCalls(List.of(calls)).build();
  }
}

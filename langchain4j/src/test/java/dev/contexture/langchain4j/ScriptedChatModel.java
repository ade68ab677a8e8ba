package dev.contexture.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers as it is told, without a network, and keeps what it was sent. */
final class ScriptedChatModel implements ChatModel {
  final List<ChatRequest> sent = new ArrayList<>();
  private final Function<ChatRequest, AiMessage> script;

  ScriptedChatModel(Function<ChatRequest, AiMessage> script) {
    this.script = script;
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    sent.add(request);
    return ChatResponse.builder()
        .id("answer-" + sent.size())
        .modelName("scripted")
        .aiMessage(script.apply(request))
        .tokenUsage(new TokenUsage(1_000 + sent.size(), 20))
        .build();
  }

  List<ChatMessage> last() {
    return sent.getLast().messages();
  }

  /** Whether the user spoke last, so that a turn begins. */
  static boolean begins(ChatRequest request) {
    return request.messages().getLast() instanceof UserMessage;
  }

  static ToolExecutionRequest call(@Nullable String id, String tool, String arguments) {
    return ToolExecutionRequest.builder().id(id).name(tool).arguments(arguments).build();
  }

  /** An answer with thinking, as a model with extended thinking gives it. */
  static AiMessage thinking(String thought, ToolExecutionRequest... calls) {
    return AiMessage.builder()
        .thinking(thought)
        .attributes(Map.of("thinking_signature", "signed " + thought))
        .toolExecutionRequests(List.of(calls))
        .build();
  }
}

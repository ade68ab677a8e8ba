package dev.contexture.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Answers letter by letter as it is told, on a thread of its own as clients of providers do, and
 * keeps what it was sent.
 */
final class ScriptedStreamModel implements StreamingChatModel {
  final List<ChatRequest> sent = new CopyOnWriteArrayList<>();
  private final Function<ChatRequest, AiMessage> script;
  private volatile int letters = Integer.MAX_VALUE;
  private volatile boolean silent;

  ScriptedStreamModel(Function<ChatRequest, AiMessage> script) {
    this.script = script;
  }

  /** The next text breaks behind some letters: with an error, or, if cancelled, without a word. */
  void breakBehind(int letters, boolean silent) {
    this.letters = letters;
    this.silent = silent;
  }

  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    sent.add(request);
    Thread.ofVirtual().start(() -> stream(request, handler));
  }

  private void stream(ChatRequest request, StreamingChatResponseHandler handler) {
    AiMessage answer = script.apply(request);
    String text = answer.text() == null ? "" : answer.text();
    int end = letters;
    if (!text.isEmpty()) {
      letters = Integer.MAX_VALUE;
    }
    text.chars()
        .limit(end)
        .forEach(letter -> handler.onPartialResponse(Character.toString(letter)));
    if (end < text.length()) {
      if (!silent) {
        handler.onError(new IllegalStateException("the connection broke"));
      }
      return;
    }
    handler.onCompleteResponse(
        ChatResponse.builder()
            .id("answer-" + sent.size())
            .modelName("scripted")
            .aiMessage(answer)
            .tokenUsage(new TokenUsage(1_000 + sent.size(), 20))
            .build());
  }
}

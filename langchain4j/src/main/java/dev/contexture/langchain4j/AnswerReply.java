package dev.contexture.langchain4j;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads an answer as LangChain4j has it: thinking and attributes first, then text, then calls. */
final class AnswerReply {
  private AnswerReply() {}

  /**
   * The answer as the engine records it.
   *
   * @param response what is known of the call; null: nothing
   */
  static ModelAnswer of(AiMessage message, @Nullable ChatResponse response, String model) {
    List<ReplyOpaque> opaque = new ArrayList<>();
    JsonObject extras = AnswerExtras.of(message);
    if (!extras.isEmpty()) {
      opaque.add(new ReplyOpaque(0, LangChainContext.NAME, extras.toJson()));
    }
    List<ReplyText> texts = new ArrayList<>();
    if (message.text() != null && !message.text().isEmpty()) {
      texts.add(new ReplyText(1, message.text()));
    }
    List<ReplyCall> calls = new ArrayList<>();
    for (ToolExecutionRequest call : requests(message)) {
      String arguments = call.arguments() == null ? "{}" : call.arguments();
      calls.add(new ReplyCall(2 + calls.size(), call.id(), call.name(), arguments));
    }
    String named = response == null ? null : response.modelName();
    return new ModelAnswer(
        LangChainContext.NAME,
        named == null ? model : named,
        response == null ? null : response.id(),
        texts,
        calls,
        opaque,
        stop(response == null ? null : response.finishReason(), !calls.isEmpty()),
        null,
        response == null ? null : usage(response.tokenUsage()),
        null,
        List.of());
  }

  private static List<ToolExecutionRequest> requests(AiMessage message) {
    return message.toolExecutionRequests() == null ? List.of() : message.toolExecutionRequests();
  }

  private static Stop stop(@Nullable FinishReason reason, boolean calls) {
    if (reason == null) {
      return calls ? Stop.TOOL_USE : Stop.END;
    }
    return switch (reason) {
      case STOP -> Stop.END;
      case LENGTH -> Stop.MAX_TOKENS;
      case TOOL_EXECUTION -> Stop.TOOL_USE;
      case CONTENT_FILTER -> Stop.CONTENT_FILTER;
      case OTHER -> Stop.OTHER;
    };
  }

  /**
   * What the call cost. Which part of the input came from a cache is told by classes of each
   * provider's module, which need not be there; they are asked by the names of their methods.
   */
  static @Nullable Usage usage(@Nullable TokenUsage usage) {
    if (usage == null || usage.inputTokenCount() == null) {
      return null;
    }
    long input = usage.inputTokenCount();
    long output = usage.outputTokenCount() == null ? 0 : usage.outputTokenCount();
    Long read = count(usage, "cacheReadInputTokens"); // Anthropic: beside the input
    Long write = count(usage, "cacheCreationInputTokens");
    if (read != null || write != null) {
      return new Usage(read == null ? 0 : read, 0, 0, write == null ? 0 : write, input, output);
    }
    Object details = get(usage, "inputTokensDetails"); // OpenAI: part of the input
    Long cached =
        details == null
            ? count(usage, "cachedContentTokenCount") // Gemini: part of the input
            : count(details, "cachedTokens");
    long hit = cached == null ? 0 : Math.min(cached, input);
    return new Usage(hit, 0, 0, 0, input - hit, output);
  }

  private static @Nullable Long count(Object from, String method) {
    return get(from, method) instanceof Number number ? number.longValue() : null;
  }

  /** What a method gives; null if there is none. */
  private static @Nullable Object get(Object from, String method) {
    try {
      return from.getClass().getMethod(method).invoke(from);
    } catch (ReflectiveOperationException absent) {
      return null;
    }
  }
}

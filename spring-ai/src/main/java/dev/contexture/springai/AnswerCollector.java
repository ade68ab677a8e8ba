package dev.contexture.springai;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;

/**
 * Collects an answer as Spring AI has it, whole or in the pieces of a stream: extras first, then
 * text, then calls. Clients give a thought as a message of its own, marked by its metadata; it is
 * no text of the answer. Confined to one thread.
 */
final class AnswerCollector {
  private static final String TEXT = "text";
  private static final String SIGNATURE = "signature";
  private static final String REASONING = "reasoningContent";

  /** Where clients say which of several answers a message belongs to. */
  private static final List<String> NUMBERS = List.of("index", "candidateIndex");

  private final boolean stream;
  private final StringBuilder text = new StringBuilder();
  private final List<AssistantMessage.ToolCall> calls = new ArrayList<>();
  private final Map<String, Object> metadata = new LinkedHashMap<>();
  private final StringBuilder reasoning = new StringBuilder();
  private final List<Map<String, Object>> thoughts = new ArrayList<>();
  private @Nullable Object number; // of the answer that is collected
  private @Nullable Map<String, Object> thought; // that goes on
  private @Nullable String id;
  private @Nullable String model;
  private @Nullable String finish;
  private long input;
  private long output;
  private @Nullable Long cacheRead;
  private @Nullable Long cacheWrite;

  private AnswerCollector(boolean stream) {
    this.stream = stream;
  }

  /** Collects what a stream gives. */
  static AnswerCollector ofStream() {
    return new AnswerCollector(true);
  }

  /** Collects one whole answer. */
  static AnswerCollector of(ChatResponse response) {
    AnswerCollector whole = new AnswerCollector(false);
    whole.add(response);
    return whole;
  }

  /** Collects messages that belong to one answer, of which nothing else is known. */
  static AnswerCollector of(List<AssistantMessage> messages) {
    return of(new ChatResponse(messages.stream().map(Generation::new).toList()));
  }

  void add(ChatResponse response) {
    List<Generation> generations = response.getResults();
    for (Generation generation : generations) {
      AssistantMessage message = generation.getOutput();
      if (isOfAnother(message)) {
        continue;
      }
      if (isThought(message, generations.size())) {
        think(message);
      } else {
        say(message);
      }
      finish = known(generation.getMetadata().getFinishReason(), finish);
    }
    about(response.getMetadata());
  }

  /** Whether nothing was said yet. */
  boolean isEmpty() {
    return text.isEmpty()
        && calls.isEmpty()
        && thoughts.isEmpty()
        && reasoning.isEmpty()
        && metadata.isEmpty();
  }

  /** Whether a message is of another answer than the first, where several were asked for. */
  private boolean isOfAnother(AssistantMessage message) {
    for (String key : NUMBERS) {
      Object given = message.getMetadata().get(key);
      if (given != null) {
        number = number == null ? given : number;
        return !given.equals(number);
      }
    }
    return false;
  }

  private boolean isThought(AssistantMessage message, int generations) {
    Map<String, Object> about = message.getMetadata();
    if (message.hasToolCalls()) {
      return false;
    }
    boolean silent = known(message.getText(), null) == null;
    boolean signed = about.get(SIGNATURE) instanceof String;
    boolean redacted = about.get("data") instanceof String && silent;
    return Boolean.TRUE.equals(about.get("thinking"))
        || Boolean.TRUE.equals(about.get("isThought"))
        || redacted
        || (signed && (stream ? silent : generations > 1));
  }

  private void think(AssistantMessage message) {
    Map<String, Object> open = thought;
    if (open == null) {
      open = new LinkedHashMap<>();
      thoughts.add(open);
      thought = open;
    }
    for (Map.Entry<String, Object> known : message.getMetadata().entrySet()) {
      if (!Boolean.TRUE.equals(known.getValue())) {
        open.put(known.getKey(), known.getValue());
      }
    }
    String more = known(message.getText(), null);
    if (more != null) {
      open.merge(TEXT, more, (before, after) -> "" + before + after);
    }
    if (open.containsKey(SIGNATURE) || open.containsKey("data")) {
      thought = null; // a signature ends it
    }
  }

  private void say(AssistantMessage message) {
    thought = null;
    if (message.getText() != null) {
      text.append(message.getText());
    }
    calls.addAll(message.getToolCalls());
    metadata.putAll(message.getMetadata());
    if (metadata.get(REASONING) instanceof String piece) {
      metadata.remove(REASONING);
      reason(piece);
    } else {
      reason(field(message));
    }
  }

  /** Some clients give pieces of the reasoning, some all that they have with each piece. */
  private void reason(String piece) {
    if (reasoning.isEmpty() || !piece.startsWith(reasoning.toString())) {
      reasoning.append(piece);
    } else {
      reasoning.replace(0, reasoning.length(), piece);
    }
  }

  /** The reasoning that a message of its own kind has, as DeepSeek's; it need not be there. */
  private static String field(AssistantMessage message) {
    if (message.getClass() == AssistantMessage.class) {
      return "";
    }
    try {
      Object value = message.getClass().getMethod("getReasoningContent").invoke(message);
      return value instanceof String given ? given : "";
    } catch (ReflectiveOperationException absent) {
      return "";
    }
  }

  private void about(ChatResponseMetadata known) {
    id = known(known.getId(), id);
    model = known(known.getModel(), model);
    org.springframework.ai.chat.metadata.Usage usage = known.getUsage();
    if (usage == null) {
      return;
    }
    input = Math.max(input, Objects.requireNonNullElse(usage.getPromptTokens(), 0));
    output = Math.max(output, Objects.requireNonNullElse(usage.getCompletionTokens(), 0));
    cacheRead =
        usage.getCacheReadInputTokens() == null ? cacheRead : usage.getCacheReadInputTokens();
    cacheWrite =
        usage.getCacheWriteInputTokens() == null ? cacheWrite : usage.getCacheWriteInputTokens();
  }

  private static @Nullable String known(@Nullable String text, @Nullable String before) {
    return text == null || text.isEmpty() ? before : text;
  }

  /**
   * The answer as the engine records it.
   *
   * @param asked the model that was asked
   * @param beside whether the provider counts what its cache gave beside the input
   */
  ModelAnswer answer(String asked, boolean beside) {
    List<ReplyOpaque> opaque = new ArrayList<>();
    Map<String, Object> about = new LinkedHashMap<>(metadata);
    about.putIfAbsent(REASONING, reasoning.toString());
    JsonObject extras = MessageExtras.of(about, thoughts);
    if (!extras.isEmpty()) {
      opaque.add(new ReplyOpaque(0, SpringAiContext.NAME, extras.toJson()));
    }
    List<ReplyText> texts = text.isEmpty() ? List.of() : List.of(new ReplyText(1, text.toString()));
    List<ReplyCall> replyCalls = new ArrayList<>();
    for (AssistantMessage.ToolCall call : calls) {
      replyCalls.add(
          new ReplyCall(
              2 + replyCalls.size(),
              known(call.id(), null),
              call.name(),
              Objects.requireNonNullElse(known(call.arguments(), null), "{}")));
    }
    return new ModelAnswer(
        SpringAiContext.NAME,
        model == null ? asked : model,
        id,
        texts,
        replyCalls,
        opaque,
        stop(),
        finish,
        usage(beside),
        null,
        List.of());
  }

  /** Why it ended; each client has its provider's words. */
  private Stop stop() {
    if (!calls.isEmpty()) {
      return Stop.TOOL_USE;
    }
    String words = finish == null ? "" : finish.toLowerCase(Locale.ROOT);
    if (words.contains("max_tokens") || words.contains("length")) {
      return Stop.MAX_TOKENS;
    }
    if (words.contains("refusal")) {
      return Stop.REFUSAL;
    }
    return words.contains("filter") || words.contains("safety") ? Stop.CONTENT_FILTER : Stop.END;
  }

  private @Nullable Usage usage(boolean beside) {
    if (input == 0 && output == 0) {
      return null;
    }
    long read = cacheRead == null ? 0 : cacheRead;
    long written = cacheWrite == null ? 0 : cacheWrite;
    if (beside) {
      return new Usage(read, 0, 0, written, input, output);
    }
    long hit = Math.min(read, input);
    long kept = Math.min(written, input - hit);
    return new Usage(hit, 0, 0, kept, input - hit - kept, output);
  }
}

package dev.contexture.adk;

import com.google.adk.events.Event;
import com.google.genai.types.Content;
import com.google.genai.types.FinishReason;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import com.google.genai.types.Part;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a model said in an event. Thoughts, signatures and whatever else only a model of
 * Google reads is kept verbatim, in its place among the parts.
 */
final class EventAnswer {
  /** Calls that ADK itself puts into events, to ask the user; no model made them. */
  private static final Set<String> OF_ADK =
      Set.of("adk_request_credential", "adk_request_confirmation", "adk_request_input");

  private static final Set<String> PLAIN_CALL = Set.of("functionCall");
  private static final Set<String> PLAIN_TEXT = Set.of("text");

  /** How ids begin that ADK makes up for calls without one. */
  private static final String MADE_UP = "adk-";

  private final List<ReplyText> texts = new ArrayList<>();
  private final List<ReplyCall> calls = new ArrayList<>();
  private final List<ReplyOpaque> opaque = new ArrayList<>();

  private EventAnswer() {}

  static boolean isOfAdk(@Nullable String tool) {
    return tool != null && OF_ADK.contains(tool);
  }

  static boolean isMadeUp(String callId) {
    return callId.startsWith(MADE_UP);
  }

  /**
   * The answer as the engine records it; null if the event says nothing.
   *
   * @param told what the call cost, where the event does not say it
   */
  static @Nullable ModelAnswer of(
      Event event, String model, @Nullable GenerateContentResponseUsageMetadata told) {
    EventAnswer answer = new EventAnswer();
    List<Part> parts = event.content().flatMap(Content::parts).orElse(List.of());
    for (int i = 0; i < parts.size(); i++) {
      answer.add(i, parts.get(i));
    }
    if (answer.texts.isEmpty() && answer.calls.isEmpty() && answer.opaque.isEmpty()) {
      return null;
    }
    return new ModelAnswer(
        AdkContext.NAME,
        model,
        null,
        answer.texts,
        answer.calls,
        answer.opaque,
        answer.calls.isEmpty() ? stop(event) : Stop.TOOL_USE,
        event.finishReason().map(FinishReason::toString).orElse(null),
        usage(event.usageMetadata().orElse(told)),
        null,
        List.of());
  }

  private void add(int order, Part part) {
    JsonObject json = (JsonObject) JsonValue.parse(part.toJson());
    FunctionCall call = part.functionCall().orElse(null);
    if (call != null) {
      if (isOfAdk(call.name().orElse(null))) {
        return;
      }
      Map<String, Object> arguments = call.args().orElse(Map.of());
      calls.add(
          new ReplyCall(
              order,
              call.id().orElse(null),
              call.name().orElse(""),
              AdkJson.object(arguments).toJson()));
      keep(order, withoutMadeUpId(json), PLAIN_CALL);
      return;
    }
    String text = part.text().orElse(null);
    if (text != null && !text.isEmpty() && !part.thought().orElse(false)) {
      texts.add(new ReplyText(order, text));
      keep(order, json, PLAIN_TEXT);
    } else if (part.functionResponse().isEmpty()) {
      boolean blank = json.string("text").filter(String::isEmpty).isPresent();
      keep(order, json, blank ? PLAIN_TEXT : Set.of());
    }
  }

  private static JsonObject withoutMadeUpId(JsonObject part) {
    JsonObject call = part.object("functionCall").orElse(JsonObject.EMPTY);
    boolean madeUp = call.string("id").filter(EventAnswer::isMadeUp).isPresent();
    return madeUp ? part.with("functionCall", call.without("id")) : part;
  }

  /** Keeps the part as it is, if it has more than its text or call. */
  private void keep(int order, JsonObject json, Set<String> plain) {
    if (!plain.containsAll(json.keys())) {
      opaque.add(new ReplyOpaque(order, "part", json.toJson()));
    }
  }

  private static Stop stop(Event event) {
    FinishReason reason = event.finishReason().orElse(null);
    if (reason == null) {
      return Stop.END;
    }
    return switch (reason.toString()) {
      case "STOP" -> Stop.END;
      case "MAX_TOKENS" -> Stop.MAX_TOKENS;
      case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY" ->
          Stop.CONTENT_FILTER;
      default -> Stop.OTHER;
    };
  }

  /** What a call cost: what came from a cache is part of the prompt, thoughts are output. */
  private static @Nullable Usage usage(@Nullable GenerateContentResponseUsageMetadata told) {
    if (told == null || told.promptTokenCount().isEmpty()) {
      return null;
    }
    long input = (long) told.promptTokenCount().get() + told.toolUsePromptTokenCount().orElse(0);
    long cached = Math.min(input, told.cachedContentTokenCount().orElse(0));
    long output =
        (long) told.candidatesTokenCount().orElse(0) + told.thoughtsTokenCount().orElse(0);
    return new Usage(cached, 0, 0, 0, input - cached, output);
  }
}

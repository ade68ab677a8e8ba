package dev.contexture.provider.gemini;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what Gemini generates. */
final class GeminiReader extends AnswerReader {
  @Override
  protected ModelAnswer read(String text, JsonObject body, AnswerJson json, ReplyBuilder reply) {
    reply.identify(
        body.string("responseId").orElse(null), body.string("modelVersion").orElse(null));
    End end = new End();
    List<String> parts = parts(text, body, json, end);
    if (end.moreCandidates()) {
      reply.finding(ReplyBuilder.MORE_CHOICES, "/candidates/1", "more candidates were left out");
    }
    end.addFurther(reply);
    GeminiParts sorted = new GeminiParts(json, reply, end.byLimit());
    for (int i = 0; i < parts.size(); i++) {
      sorted.add(i, parts.get(i), true);
    }
    reply.usage(usage(body.object("usageMetadata").orElse(null), reply));
    return end.of(reply, null);
  }

  /** The parts of the first candidate, without white space; its end goes to {@code end}. */
  static List<String> parts(String text, JsonObject body, AnswerJson json, End end) {
    boolean blocked = body.has("promptFeedback");
    if (blocked) {
      end.blocked(json.object(body, "promptFeedback", "/promptFeedback"));
    }
    JsonValue found = body.members().getOrDefault("candidates", JsonNull.NULL);
    if (found == JsonNull.NULL && blocked) {
      return List.of();
    }
    JsonArray candidates = json.array(body, "candidates", "/candidates");
    end.candidates(candidates.size());
    if (candidates.size() > 1) {
      List<String> all = JsonText.items(JsonText.member(text, "candidates").orElseThrow());
      for (int i = 1; i < all.size(); i++) {
        end.further(i, JsonText.minify(JsonText.member(all.get(i), "content").orElse(all.get(i))));
      }
    }
    if (candidates.isEmpty()) {
      return List.of();
    }
    JsonObject first = json.asObject(candidates.items().get(0), "/candidates/0");
    end.finished(first);
    JsonValue content = first.members().getOrDefault("content", JsonNull.NULL);
    if (content == JsonNull.NULL) {
      return List.of();
    }
    JsonObject object = json.asObject(content, "/candidates/0/content");
    if (!object.has("parts")) {
      return List.of();
    }
    json.array(object, "parts", "/candidates/0/content/parts");
    return rawParts(text);
  }

  private static List<String> rawParts(String text) {
    String candidates = JsonText.member(text, "candidates").orElseThrow();
    String first = JsonText.items(candidates).get(0);
    String content = JsonText.member(first, "content").orElseThrow();
    List<String> parts = new ArrayList<>();
    for (String part : JsonText.items(JsonText.member(content, "parts").orElseThrow())) {
      parts.add(JsonText.minify(part));
    }
    return parts;
  }

  @Override
  public AnswerStream open(ModelRef model) {
    return new GeminiStream(model);
  }

  /** Cached input is counted inside the prompt, thoughts apart from the answer. */
  static @Nullable Usage usage(@Nullable JsonObject usage, ReplyBuilder reply) {
    if (usage == null) {
      return null;
    }
    long read = AnswerJson.count(usage, "cachedContentTokenCount");
    long input =
        AnswerJson.count(usage, "promptTokenCount")
            + AnswerJson.count(usage, "toolUsePromptTokenCount");
    long uncached = reply.uncached(input - read, "/usageMetadata/promptTokenCount");
    long output =
        AnswerJson.count(usage, "candidatesTokenCount")
            + AnswerJson.count(usage, "thoughtsTokenCount");
    return new Usage(read, 0, 0, 0, uncached, output);
  }

  /** The reason why an answer ended; the last words count. Confined to one thread. */
  static final class End {
    private @Nullable String finishReason;
    private @Nullable String blockReason;
    private boolean hasCandidate;
    private boolean more;
    private final Map<Integer, List<String>> further = new TreeMap<>(); // by candidate

    void blocked(JsonObject feedback) {
      blockReason = feedback.string("blockReason").orElse(blockReason);
    }

    void candidates(int count) {
      hasCandidate |= count > 0;
      more |= count > 1;
    }

    void finished(JsonObject candidate) {
      finishReason = candidate.string("finishReason").orElse(finishReason);
    }

    /** Notes what a further candidate says. */
    void further(int candidate, String content) {
      further.computeIfAbsent(candidate, unused -> new ArrayList<>()).add(content);
    }

    void addFurther(ReplyBuilder reply) {
      further.values().forEach(said -> reply.choice("[" + String.join(",", said) + "]"));
    }

    boolean moreCandidates() {
      return more;
    }

    /** Whether the answer has said why it ended. */
    boolean known() {
      return finishReason != null || isBlocked();
    }

    private boolean isBlocked() {
      return blockReason != null && !hasCandidate;
    }

    boolean byLimit() {
      return stop() == Stop.MAX_TOKENS;
    }

    private Stop stop() {
      if (isBlocked()) {
        return Stop.CONTENT_FILTER;
      }
      return switch (finishReason == null ? "" : finishReason) {
        case "STOP" -> Stop.END;
        case "MAX_TOKENS" -> Stop.MAX_TOKENS;
        case "SAFETY",
            "RECITATION",
            "BLOCKLIST",
            "PROHIBITED_CONTENT",
            "SPII",
            "IMAGE_SAFETY",
            "IMAGE_PROHIBITED_CONTENT",
            "IMAGE_RECITATION" ->
            Stop.CONTENT_FILTER;
        default -> Stop.OTHER;
      };
    }

    ModelAnswer of(ReplyBuilder reply, @Nullable Cut cut) {
      reply.stopWords(isBlocked() ? blockReason : finishReason);
      return reply.build(stop(), cut);
    }
  }
}

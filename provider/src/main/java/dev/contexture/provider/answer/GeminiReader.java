package dev.contexture.provider.answer;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import java.util.ArrayList;
import java.util.List;

/** Reads what Gemini generates. */
final class GeminiReader implements AnswerReader {
  @Override
  public ModelAnswer read(byte[] answer, ModelRef model) {
    if (answer.length > MAX_ANSWER_BYTES) {
      throw AnswerException.tooLarge(model.provider(), "the answer", MAX_ANSWER_BYTES, "bytes");
    }
    AnswerJson json = new AnswerJson(model.provider());
    String text = json.whole(answer);
    JsonObject body = json.object(text);
    ErrorBody.refuse(model.provider(), body);
    ReplyBuilder reply = new ReplyBuilder(model);
    reply.identify(
        body.string("responseId").orElse(null), body.string("modelVersion").orElse(null));
    GeminiStop stop = new GeminiStop();
    List<String> parts = parts(text, body, json, stop);
    if (stop.moreCandidates()) {
      reply.finding(GeminiStop.MORE, "/candidates/1", "more candidates were left out");
    }
    GeminiParts sorted = new GeminiParts(json, reply, stop.byLimit());
    for (int i = 0; i < parts.size(); i++) {
      sorted.add(i, parts.get(i), true);
    }
    reply.usage(UsageCounts.gemini(body.object("usageMetadata").orElse(null), reply));
    return stop.end(reply, null);
  }

  /** The parts of the first candidate, without white space; its end goes to {@code stop}. */
  static List<String> parts(String text, JsonObject body, AnswerJson json, GeminiStop stop) {
    boolean blocked = body.has("promptFeedback");
    if (blocked) {
      stop.blocked(json.object(body, "promptFeedback", "/promptFeedback"));
    }
    JsonValue found = body.members().getOrDefault("candidates", JsonNull.NULL);
    if (found == JsonNull.NULL && blocked) {
      return List.of();
    }
    JsonArray candidates = json.array(body, "candidates", "/candidates");
    stop.candidates(candidates.size());
    if (candidates.isEmpty()) {
      return List.of();
    }
    JsonObject first = json.asObject(candidates.items().get(0), "/candidates/0");
    stop.finished(first);
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
}

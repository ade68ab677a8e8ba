package dev.contexture.provider.gemini;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.wire.answer.ErrorBody;
import dev.contexture.provider.wire.answer.EventAnswerStream;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the chunks that Gemini streams. Confined to one thread. */
final class GeminiStream extends EventAnswerStream {
  private static final Set<String> CHUNK = Set.of("candidates", "promptFeedback", "usageMetadata");

  private final List<String> parts = new ArrayList<>();
  private final StringBuilder joined = new StringBuilder(); // more text of the last part
  private final GeminiReader.End end = new GeminiReader.End();
  private @Nullable JsonObject lastText; // the last part, if it holds nothing but text
  private @Nullable String id;
  private @Nullable String answerModel;
  private @Nullable JsonObject usage;

  GeminiStream(ModelRef model) {
    super(model);
  }

  @Override
  protected void data(String text) {
    JsonObject chunk = json.object(text);
    Optional<JsonObject> error = ErrorBody.in(chunk);
    if (error.isPresent()) {
      fail(error.get());
      return;
    }
    if (CHUNK.stream().noneMatch(chunk::has)) {
      finding("event_unknown", "", "an event without candidates was skipped");
      return;
    }
    id = id == null ? chunk.string("responseId").orElse(null) : id;
    answerModel = answerModel == null ? chunk.string("modelVersion").orElse(null) : answerModel;
    usage = chunk.object("usageMetadata").orElse(usage);
    if (chunk.has("candidates") || chunk.has("promptFeedback")) {
      GeminiReader.parts(text, chunk, json, end).forEach(this::append);
    }
    if (end.moreCandidates()) {
      finding(ReplyBuilder.MORE_CHOICES, "/candidates/1", "more candidates were left out");
    }
  }

  /** Adds a part, or its text to that of the last one. */
  private void append(String raw) {
    JsonObject part = json.object(raw);
    JsonObject before = lastText;
    boolean textAlone = isTextAlone(part);
    if (textAlone
        && before != null
        && GeminiParts.isThought(before) == GeminiParts.isThought(part)) {
      joined.append(part.string(GeminiParts.TEXT).orElse(""));
      return;
    }
    close();
    parts.add(raw);
    lastText = textAlone ? part : null;
  }

  private static boolean isTextAlone(JsonObject part) {
    return part.members().get(GeminiParts.TEXT) instanceof JsonString
        && Set.of(GeminiParts.TEXT, GeminiParts.THOUGHT).containsAll(part.keys());
  }

  /** Spells the last part again if text was added to it. */
  private void close() {
    JsonObject last = lastText;
    if (last != null && !joined.isEmpty()) {
      String text = last.string(GeminiParts.TEXT).orElse("") + joined;
      parts.set(parts.size() - 1, last.with(GeminiParts.TEXT, new JsonString(text)).toJson());
    }
    joined.setLength(0);
    lastText = null;
  }

  @Override
  protected boolean whole() {
    return end.known();
  }

  @Override
  protected ModelAnswer reply(@Nullable Cut how) {
    close();
    ReplyBuilder reply = new ReplyBuilder(model);
    reply.findings(findings);
    reply.identify(id, answerModel);
    end.addFurther(reply);
    GeminiParts sorted = new GeminiParts(json, reply, end.byLimit());
    for (int i = 0; i < parts.size(); i++) {
      sorted.add(i, parts.get(i), how == null || i < parts.size() - 1);
    }
    reply.usage(GeminiReader.usage(usage, reply));
    return end.of(reply, how);
  }
}

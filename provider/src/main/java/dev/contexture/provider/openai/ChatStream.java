package dev.contexture.provider.openai;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerException;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.ErrorBody;
import dev.contexture.provider.wire.answer.EventAnswerStream;
import dev.contexture.provider.wire.answer.JsonAccumulator;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the chunks of OpenAI Chat Completions. Confined to one thread. */
final class ChatStream extends EventAnswerStream {
  private static final String DONE = "[DONE]";

  private final JsonAccumulator.Members message = new JsonAccumulator.Members(JsonObject.EMPTY);
  private @Nullable String id;
  private @Nullable String answerModel;
  private @Nullable String finishReason;
  private @Nullable JsonObject usage;
  private @Nullable String lastMember;
  private final Map<Long, JsonAccumulator.Members> further = new TreeMap<>(); // choices, by index
  private long openCall = -1;
  private boolean hasChoice;

  ChatStream(ModelRef model) {
    super(model);
  }

  @Override
  protected void data(String text) {
    if (text.strip().equals(DONE)) {
      done();
      return;
    }
    JsonObject chunk = json.object(text);
    Optional<JsonObject> error = ErrorBody.in(chunk);
    if (error.isPresent()) {
      fail(error.get());
      return;
    }
    id = id == null ? chunk.string("id").orElse(null) : id;
    answerModel = answerModel == null ? chunk.string("model").orElse(null) : answerModel;
    usage = chunk.object("usage").orElse(usage);
    if (chunk.has("choices")) {
      choices(json.array(chunk, "choices", "/choices"));
    } else if (!chunk.has("usage")) {
      finding("event_unknown", "", "an event without choices was skipped");
    }
  }

  private void done() {
    if (!hasChoice) {
      throw AnswerException.malformed(
          json.provider(), "/choices/0", "a choice before the end", "none");
    }
    finish();
  }

  private void choices(JsonArray choices) {
    for (int i = 0; i < choices.size(); i++) {
      JsonObject choice = json.asObject(choices.items().get(i), "/choices/" + i);
      if (index(choice) > 0) {
        finding(ReplyBuilder.MORE_CHOICES, "/choices/1", "more choices were left out");
        if (choice.members().get("delta") instanceof JsonObject delta) {
          JsonAccumulator.Members more =
              further.computeIfAbsent(
                  index(choice), unused -> new JsonAccumulator.Members(JsonObject.EMPTY));
          delta.members().forEach(more::put);
        }
      } else {
        choice(choice);
      }
    }
  }

  private void choice(JsonObject choice) {
    hasChoice = true;
    if (choice.members().get("delta") instanceof JsonObject delta) {
      delta.members().forEach(this::grow);
    }
    finishReason = choice.string("finish_reason").orElse(finishReason);
  }

  private void grow(String key, JsonValue delta) {
    if (key.equals(ChatParts.CALLS) && delta instanceof JsonArray calls) {
      calls.items().forEach(this::requireOpen);
    }
    if (!AnswerJson.isEmpty(delta) && !key.equals("role")) {
      lastMember = key;
    }
    message.put(key, delta);
  }

  /** A call is open until the next one begins or the answer says why it ended. */
  private void requireOpen(JsonValue item) {
    if (!(item instanceof JsonObject call) || !call.has("index")) {
      return;
    }
    long index = index(call);
    if (index < openCall || finishReason != null) {
      throw AnswerException.malformed(
          json.provider(),
          "/choices/0/delta/tool_calls",
          "a call that is open",
          "call " + index + ", which has ended");
    }
    openCall = index;
  }

  private static long index(JsonObject object) {
    return object.members().get("index") instanceof JsonNumber number
        ? number.asLong().orElse(0)
        : 0;
  }

  @Override
  protected ModelAnswer reply(@Nullable Cut how) {
    ReplyBuilder reply = new ReplyBuilder(model);
    reply.findings(findings);
    reply.identify(id, answerModel);
    String open = how != null && finishReason == null ? lastMember : null;
    new ChatParts(json, reply, ChatReader.stop(finishReason)).add(message.value().toJson(), open);
    further.values().forEach(more -> reply.choice(more.value().toJson()));
    reply.usage(ChatReader.usage(usage, "prompt", "completion", reply));
    return ChatReader.end(reply, finishReason, how);
  }
}

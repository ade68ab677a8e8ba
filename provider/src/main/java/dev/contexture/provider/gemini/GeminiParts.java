package dev.contexture.provider.gemini;

import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sorts the parts of a Gemini answer into texts, calls and opaque parts. */
final class GeminiParts {
  static final String TEXT = "text";
  static final String THOUGHT = "thought";
  static final String CALL = "functionCall";
  private static final Set<String> NO_DATA = Set.of(THOUGHT, "thoughtSignature", "videoMetadata");
  private static final Set<String> TEXT_MEMBERS = Set.of(TEXT);
  private static final Set<String> CALL_MEMBERS = Set.of("id", "name", "args");

  private final AnswerJson json;
  private final ReplyBuilder reply;
  private final boolean cutByLimit;

  GeminiParts(AnswerJson json, ReplyBuilder reply, boolean cutByLimit) {
    this.json = json;
    this.reply = reply;
    this.cutByLimit = cutByLimit;
  }

  /**
   * Adds one part.
   *
   * @param raw its JSON without white space outside strings
   * @param ended false if the stream broke off right behind it, so that it may lack an end
   */
  void add(int order, String raw, boolean ended) {
    String pointer = "/candidates/0/content/parts/" + order;
    JsonObject part = json.object(raw);
    if (isThought(part)) {
      if (ended) {
        reply.opaque(order, THOUGHT, raw);
      } else {
        reply.partial(order, THOUGHT, raw);
      }
    } else if (part.has(CALL)) {
      call(order, part, raw, pointer);
    } else if (part.has(TEXT)) {
      text(order, part, raw, pointer);
    } else {
      reply.opaque(order, kind(part), raw);
    }
  }

  static boolean isThought(JsonObject part) {
    return part.members().get(THOUGHT) instanceof JsonBoolean thought && thought.value();
  }

  private static String kind(JsonObject part) {
    return part.keys().stream().filter(key -> !NO_DATA.contains(key)).findFirst().orElse("part");
  }

  /** A blank text that carries a signature is kept and sent for it. */
  private void text(int order, JsonObject part, String raw, String pointer) {
    String text = json.string(part, TEXT, pointer + "/text");
    boolean more = AnswerJson.hasMore(part, TEXT_MEMBERS);
    if (text.isBlank()) {
      reply.opaque(order, more ? TEXT : ReplyOpaque.BLANK, raw);
      return;
    }
    reply.text(order, text);
    if (more || AnswerJson.endsInLineBreak(text)) {
      reply.opaque(order, TEXT, raw);
    }
  }

  private void call(int order, JsonObject part, String raw, String pointer) {
    JsonObject call = json.object(part, CALL, pointer + "/functionCall");
    String name = json.name(call, "name", pointer + "/functionCall/name");
    @Nullable String id = call.string("id").filter(given -> !given.isEmpty()).orElse(null);
    JsonValue args = call.members().getOrDefault("args", JsonNull.NULL);
    boolean sound = args instanceof JsonObject || args == JsonNull.NULL;
    if (!sound && cutByLimit) {
      reply.partial(order, CALL, raw);
      return;
    }
    reply.call(order, id, name, arguments(args, raw));
    boolean plain =
        id != null
            && args instanceof JsonObject
            && !AnswerJson.hasMore(part, Set.of(CALL))
            && !AnswerJson.hasMore(call, CALL_MEMBERS);
    if (sound && !plain) {
      reply.opaque(order, CALL, raw);
    }
  }

  /** The object as spelled; text in its place is what the model failed to write as JSON. */
  private static String arguments(JsonValue args, String raw) {
    if (args == JsonNull.NULL) {
      return "{}";
    }
    if (args instanceof JsonString text) {
      return text.value();
    }
    return JsonText.member(raw, CALL).flatMap(call -> JsonText.member(call, "args")).orElse("{}");
  }
}

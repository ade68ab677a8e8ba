package dev.contexture.provider.foreign;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage.Piece;
import dev.contexture.provider.history.ForeignMessage.Role;
import dev.contexture.provider.history.ForeignMessage.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of the Vercel AI SDK: those of a user interface, with all steps of an answer in
 * one message, and those for models.
 */
final class VercelChats {
  /** What a program keeps for itself, or shows beside the text. */
  private static final Set<String> SHOWN = Set.of("step-start", "source-url", "source-document");

  private static final Set<String> ENDED =
      Set.of("output-available", "output-error", "output-denied", "result");

  private final ChatDraft draft = new ChatDraft();

  private VercelChats() {}

  static ForeignChat read(JsonValue list, String place) {
    VercelChats chats = new VercelChats();
    List<JsonObject> messages = ChatUnit.objects(list, place);
    for (int i = 0; i < messages.size(); i++) {
      chats.message(messages.get(i), place + "/" + i);
    }
    return chats.draft.chat();
  }

  private void message(JsonObject message, String place) {
    JsonObject meta = message.object("metadata").orElse(JsonObject.EMPTY);
    Instant own = ChatUnit.time(message, "createdAt", "created_at");
    Instant at = own == null ? ChatUnit.time(meta, "createdAt", "created_at", "timestamp") : own;
    Role role = role(message, place);
    String model = role == Role.ASSISTANT ? ChatUnit.text(meta, "model", "modelId") : null;
    draft.begin(role, place, at, model);
    if (message.has("parts")) {
      steps(ChatUnit.objects(message, "parts", place), place + "/parts");
    } else if (message.find("content").orElse(null) instanceof JsonArray content) {
      List<JsonObject> parts = ChatUnit.objects(content, place + "/content");
      for (int i = 0; i < parts.size(); i++) {
        part(parts.get(i), place + "/content/" + i);
      }
    } else {
      JsonValue content = message.find("content").orElse(JsonNull.NULL);
      draft.add(ContentParts.of(content, draft.next(), place + "/content"));
      steps(ChatUnit.objects(message, "toolInvocations", place), place + "/toolInvocations");
    }
  }

  private static Role role(JsonObject message, String place) {
    return switch (message.string("role").orElse("")) {
      case "user", "tool" -> Role.USER;
      case "assistant" -> Role.ASSISTANT;
      case "system" -> Role.INSTRUCTIONS;
      default ->
          throw ChatUnit.malformed(
              place + "/role",
              message.string("role").orElse("none"),
              "user, assistant, tool or system");
    };
  }

  /** The results of calls that were made together come behind all of these. */
  private void steps(List<JsonObject> parts, String place) {
    List<Runnable> results = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      JsonObject part = parts.get(i);
      JsonObject call = called(part);
      if (call == null) {
        results.forEach(Runnable::run);
        results.clear();
        part(part, place + "/" + i);
        continue;
      }
      JsonValue input =
          call.find("input")
              .or(() -> call.find("args"))
              .or(() -> call.find("rawInput"))
              .orElse(JsonObject.EMPTY);
      draft.call(call.string("toolCallId").orElse(null), tool(call), input.toJson());
      if (ENDED.contains(call.string("state").orElse(""))) {
        results.add(() -> ended(call));
      }
    }
    results.forEach(Runnable::run);
  }

  private static @Nullable JsonObject called(JsonObject part) {
    String type = part.string("type").orElse("");
    if (type.equals("tool-invocation")) {
      return part.object("toolInvocation").orElse(JsonObject.EMPTY);
    }
    boolean called = type.startsWith("tool-") || type.equals("dynamic-tool");
    return called || (type.isEmpty() && part.has("toolCallId")) ? part : null;
  }

  private static String tool(JsonObject call) {
    return call.string("toolName")
        .orElseGet(() -> call.string("type").orElse("").replaceFirst("^tool-", ""));
  }

  private void ended(JsonObject call) {
    String state = call.string("state").orElse("");
    boolean failed = state.equals("output-error") || state.equals("output-denied");
    JsonValue output = call.find("output").or(() -> call.find("result")).orElse(JsonNull.NULL);
    List<Piece> given =
        failed
            ? List.of(new Text(0, call.string("errorText").orElse("denied")))
            : ContentParts.given(output, "/output");
    draft.result(call.string("toolCallId").orElse(null), tool(call), failed, given);
  }

  private void part(JsonObject part, String place) {
    String type = part.string("type").orElse("");
    switch (type) {
      case "reasoning" -> draft.opaque("reasoning", part);
      case "tool-call" -> {
        JsonValue input = part.find("input").or(() -> part.find("args")).orElse(JsonObject.EMPTY);
        draft.call(part.string("toolCallId").orElse(null), tool(part), input.toJson());
      }
      case "tool-result" -> result(part, place);
      default -> {
        if (!SHOWN.contains(type) && !type.startsWith("data-")) {
          draft.add(ContentParts.of(new JsonArray(List.of(part)), draft.next(), place));
        }
      }
    }
  }

  /** A result for a model says of which kind it is. */
  private void result(JsonObject part, String place) {
    JsonValue output = part.find("output").or(() -> part.find("result")).orElse(JsonNull.NULL);
    boolean failed = part.isTrue("isError");
    if (output instanceof JsonObject typed
        && typed.has("value")
        && typed.string("type").isPresent()) {
      failed = failed || typed.string("type").orElse("").startsWith("error");
      output = typed.find("value").orElse(JsonNull.NULL);
    }
    draft.result(
        part.string("toolCallId").orElse(null),
        tool(part),
        failed,
        ContentParts.given(output, place + "/output"));
  }
}

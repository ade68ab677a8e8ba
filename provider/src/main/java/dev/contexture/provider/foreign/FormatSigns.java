package dev.contexture.provider.foreign;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells formats apart by what only one of them has. A chat of plain texts is equal in some of them;
 * it is taken for one of OpenAI.
 */
final class FormatSigns {
  private static final Map<String, ForeignFormat> PARTS =
      Map.ofEntries(
          Map.entry("image_url", ForeignFormat.OPENAI),
          Map.entry("input_audio", ForeignFormat.OPENAI),
          Map.entry("input_text", ForeignFormat.OPENAI_RESPONSES),
          Map.entry("output_text", ForeignFormat.OPENAI_RESPONSES),
          Map.entry("input_image", ForeignFormat.OPENAI_RESPONSES),
          Map.entry("input_file", ForeignFormat.OPENAI_RESPONSES),
          Map.entry("tool_use", ForeignFormat.ANTHROPIC),
          Map.entry("tool_result", ForeignFormat.ANTHROPIC),
          Map.entry("thinking", ForeignFormat.ANTHROPIC),
          Map.entry("redacted_thinking", ForeignFormat.ANTHROPIC),
          Map.entry("document", ForeignFormat.ANTHROPIC),
          Map.entry("tool-call", ForeignFormat.VERCEL_AI),
          Map.entry("tool-result", ForeignFormat.VERCEL_AI),
          Map.entry("reasoning", ForeignFormat.VERCEL_AI));

  private static final Set<String> ITEMS =
      Set.of("message", "function_call", "function_call_output", "reasoning", "custom_tool_call");

  private final Set<ForeignFormat> found = EnumSet.noneOf(ForeignFormat.class);
  private boolean plain;

  private FormatSigns() {}

  /**
   * The format of a chat, or of what a program keeps as one.
   *
   * @throws ContextureException {@code import_malformed} with all formats if it is of none, or
   *     shows signs of several
   */
  static ForeignFormat of(ChatUnit unit) {
    ForeignFormat whole = unit.value() instanceof JsonObject body ? of(body) : null;
    if (whole != null) {
      return whole;
    }
    FormatSigns signs = new FormatSigns();
    if (unit.value() instanceof JsonArray list) {
      signs.list(list);
    } else if (unit.value() instanceof JsonObject body) {
      if (body.has("system")) {
        signs.found.add(ForeignFormat.ANTHROPIC);
      }
      body.array("messages").ifPresent(signs::list);
    }
    return signs.only(unit.place());
  }

  /** What an object is by its members; null: that depends on its messages. */
  private static @Nullable ForeignFormat of(JsonObject body) {
    if (body.object("mapping").isPresent()) {
      return ForeignFormat.CHATGPT;
    }
    if (body.has("chat_messages")) {
      return ForeignFormat.CLAUDE;
    }
    if (body.has("core_memory") || (body.has("agents") && body.has("blocks"))) {
      return ForeignFormat.LETTA;
    }
    if (body.array("contents").isPresent()) {
      return ForeignFormat.GEMINI;
    }
    if (body.array("conversations").isPresent()) {
      return ForeignFormat.SHAREGPT;
    }
    boolean items =
        body.array("output").isPresent()
            || body.find("input").filter(FormatSigns::isInput).isPresent();
    return items && !body.has("messages") ? ForeignFormat.OPENAI_RESPONSES : null;
  }

  private static boolean isInput(JsonValue value) {
    return value instanceof JsonArray || value instanceof JsonString;
  }

  private void list(JsonArray list) {
    for (JsonValue item : list.items()) {
      if (item instanceof JsonObject message) {
        message(message);
      }
    }
  }

  private void message(JsonObject message) {
    String type = message.string("type").orElse("");
    if (LangChain4jChats.TYPES.contains(type)) {
      found.add(ForeignFormat.LANGCHAIN4J);
    } else if (!message.has("role") && !LangChainChats.type(message).isEmpty()) {
      found.add(ForeignFormat.LANGCHAIN);
    } else if (message.has("from") && message.has("value")) {
      found.add(ForeignFormat.SHAREGPT);
    } else if (message.array("parts").isPresent()) {
      found.add(
          objects(message, "parts").stream().anyMatch(part -> part.string("type").isPresent())
              ? ForeignFormat.VERCEL_AI
              : ForeignFormat.GEMINI);
    } else if (ITEMS.contains(type) || type.endsWith("_call") || type.endsWith("_call_output")) {
      found.add(ForeignFormat.OPENAI_RESPONSES);
    } else if (message.has("toolInvocations")) {
      found.add(ForeignFormat.VERCEL_AI);
    } else if (message.has("role")) {
      said(message);
    }
  }

  private void said(JsonObject message) {
    String role = message.string("role").orElse("");
    plain |= message.has("content");
    boolean called =
        message.has("tool_calls") || message.has("function_call") || role.equals("function");
    if (called || (role.equals("tool") && message.has("tool_call_id"))) {
      found.add(ForeignFormat.OPENAI);
    }
    for (JsonObject part : objects(message, "content")) {
      String type = part.string("type").orElse("");
      ForeignFormat known = PARTS.get(type);
      if (known != null) {
        found.add(known);
      } else if (type.equals("image")) {
        found.add(part.has("source") ? ForeignFormat.ANTHROPIC : ForeignFormat.VERCEL_AI);
      } else if (type.equals("file")) {
        found.add(part.has("file") ? ForeignFormat.OPENAI : ForeignFormat.VERCEL_AI);
      }
    }
  }

  private static List<JsonObject> objects(JsonObject of, String name) {
    return of.find(name).orElse(JsonNull.NULL) instanceof JsonArray array
        ? array.items().stream()
            .filter(JsonObject.class::isInstance)
            .map(JsonObject.class::cast)
            .toList()
        : List.of();
  }

  private ForeignFormat only(String place) {
    if (found.size() == 1) {
      return found.iterator().next();
    }
    if (found.isEmpty() && plain) {
      return ForeignFormat.OPENAI;
    }
    if (found.isEmpty()) {
      throw unknown(place);
    }
    String both = found.stream().map(ForeignFormat::wireName).collect(Collectors.joining(" and "));
    throw ContextureException.invalid(
        ErrorCode.IMPORT_MALFORMED,
        place.isEmpty() ? "/" : place,
        "with signs of " + both,
        "messages of one format; name it with format if one of them is meant");
  }

  /** What is of none of the formats. */
  static ContextureException unknown(String place) {
    List<String> shapes =
        java.util.Arrays.stream(ForeignFormat.values())
            .map(format -> format.wireName() + " (" + format.shape() + ")")
            .toList();
    return ChatUnit.malformed(
        place, "in no format that is known", "one of: " + String.join("; ", shapes));
  }
}

package dev.contexture.provider.openai;

import dev.contexture.json.JsonText;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.MediaPlacement;
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;

/** Parts in the form of Chat Completions, each without its last brace. */
record ChatEncoder(EncodingCache.Search search) {
  static final String CONTENT = "content";
  static final String FUNCTION = "function";
  private static final String ERROR_PREFIX = "ERROR: ";

  EncodedPart encode(Part part) {
    return switch (part) {
      case Part.Text text -> text(text.text());
      case Part.Image image ->
          EncodedPart.of(
              "{\"type\":\"image_url\",\"image_url\":{\"url\":"
                  + MediaPlacement.dataUrl(image.mediaType(), image.data())
                  + ",\"detail\":\"auto\"}");
      case Part.Document document ->
          EncodedPart.of(
              "{\"type\":\"file\",\"file\":{\"filename\":\"document.pdf\",\"file_data\":"
                  + MediaPlacement.dataUrl(document.mediaType(), document.data())
                  + "}");
      case Part.ToolCall call -> call(call);
      case Part.ToolResult result -> result(result);
      case Part.Opaque opaque -> opaque(opaque);
    };
  }

  static EncodedPart text(String text) {
    return EncodedPart.of("{\"type\":\"text\",\"text\":" + EncodedPart.quoted(text));
  }

  private static EncodedPart call(Part.ToolCall call) {
    return EncodedPart.of(
        "{\"id\":"
            + EncodedPart.quoted(EncodedPart.callId(call))
            + ",\"type\":\"function\",\"function\":{\"name\":"
            + EncodedPart.quoted(ToolNames.COMMON.wireName(call.name()))
            + ",\"arguments\":"
            + EncodedPart.quoted(call.arguments())
            + "}");
  }

  /** A whole message, all but the last brace of its last text and what follows that. */
  private EncodedPart result(Part.ToolResult result) {
    List<EncodedPart> parts = new ArrayList<>();
    boolean mediaBelow = false;
    for (Part part : result.content()) {
      if (part instanceof Part.Text text) {
        if (!text.text().isBlank()) {
          parts.add(error(result, parts) ? failed(text.text()) : search.get(part, this::encode));
        }
      } else if (!mediaBelow) {
        mediaBelow = true;
        parts.add(note(result, parts, MediaPlacement.BELOW));
      }
    }
    if (parts.isEmpty()) {
      parts.add(note(result, parts, "(empty)"));
    }
    return EncodedPart.array(
        "{\"role\":\"tool\",\"tool_call_id\":"
            + EncodedPart.quoted(EncodedPart.callId(result))
            + ",\"content\":[",
        parts,
        "");
  }

  /** Whether the text that comes next must say that the tool failed. */
  private static boolean error(Part.ToolResult result, List<EncodedPart> before) {
    return result.isError() && before.isEmpty();
  }

  private static EncodedPart note(Part.ToolResult result, List<EncodedPart> before, String text) {
    return error(result, before) ? failed(text) : text(text);
  }

  private static EncodedPart failed(String text) {
    return text(ERROR_PREFIX + text);
  }

  /** Content comes as the text or the parts it was, a call as it was, reasoning as a value. */
  private static EncodedPart opaque(Part.Opaque opaque) {
    String raw = opaque.raw().strip();
    if (!JsonText.isObject(raw)) {
      return EncodedPart.NONE;
    }
    if (opaque.kind().equals(FUNCTION)) {
      return EncodedPart.of(raw.substring(0, raw.length() - 1));
    }
    String value = JsonText.member(raw, opaque.kind()).orElse("");
    if (!opaque.kind().equals(CONTENT)) {
      return value.isEmpty() ? EncodedPart.NONE : EncodedPart.of(value);
    }
    if (value.startsWith("\"")) {
      return EncodedPart.of("{\"type\":\"text\",\"text\":" + value);
    }
    List<String> items = value.startsWith("[") ? JsonText.items(value) : List.of();
    if (items.isEmpty() || !items.getLast().endsWith("}")) {
      return EncodedPart.NONE;
    }
    String joined = String.join(",", items);
    return EncodedPart.of(joined.substring(0, joined.length() - 1));
  }
}

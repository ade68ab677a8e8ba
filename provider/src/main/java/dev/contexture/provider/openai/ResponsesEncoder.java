package dev.contexture.provider.openai;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.MediaPlacement;
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;

/** Parts in the form of Responses, each without its last brace; texts as a user's. */
record ResponsesEncoder(EncodingCache.Search search) {
  static final String MESSAGE = "message";
  static final String CALL = "function_call";
  static final String REASONING = "reasoning";
  private static final String ERROR_PREFIX = "ERROR: ";

  EncodedPart encode(Part part) {
    return switch (part) {
      case Part.Text text -> text(text.text());
      case Part.Image image ->
          EncodedPart.of(
              "{\"type\":\"input_image\",\"image_url\":"
                  + MediaPlacement.dataUrl(image.mediaType(), image.data())
                  + ",\"detail\":\"auto\"");
      case Part.Document document ->
          EncodedPart.of(
              "{\"type\":\"input_file\",\"filename\":\"document.pdf\",\"file_data\":"
                  + MediaPlacement.dataUrl(document.mediaType(), document.data()));
      case Part.ToolCall call ->
          EncodedPart.of(
              "{\"type\":\"function_call\",\"call_id\":"
                  + EncodedPart.quoted(EncodedPart.callId(call))
                  + ",\"name\":"
                  + EncodedPart.quoted(ToolNames.COMMON.wireName(call.name()))
                  + ",\"arguments\":"
                  + EncodedPart.quoted(call.arguments()));
      case Part.ToolResult result -> result(result);
      case Part.Opaque opaque -> opaque(opaque);
    };
  }

  /** What the assistant said is an item of its own. */
  static EncodedPart said(Part part) {
    String text = ((Part.Text) part).text();
    return EncodedPart.of(
        "{\"type\":\"message\",\"role\":\"assistant\",\"content\":" + EncodedPart.quoted(text));
  }

  private static EncodedPart text(String text) {
    return EncodedPart.of("{\"type\":\"input_text\",\"text\":" + EncodedPart.quoted(text));
  }

  /** A whole item, all but the last brace of its last part and what follows that. */
  private EncodedPart result(Part.ToolResult result) {
    List<EncodedPart> parts = new ArrayList<>();
    boolean failed = result.isError();
    for (Part part : shown(result)) {
      if (failed && part instanceof Part.Text text) {
        parts.add(text(ERROR_PREFIX + text.text()));
        failed = false;
      } else {
        parts.add(search.get(part, this::encode));
      }
    }
    if (parts.isEmpty() || failed) {
      String instead = parts.isEmpty() ? "(empty)" : MediaPlacement.BELOW;
      parts.addFirst(text(failed ? ERROR_PREFIX + instead : instead));
    }
    return EncodedPart.array(
        "{\"type\":\"function_call_output\",\"call_id\":"
            + EncodedPart.quoted(EncodedPart.callId(result))
            + ",\"output\":[",
        parts,
        "");
  }

  /** The index of the last part of a result on the wire. */
  static int lastPart(Part.ToolResult result) {
    List<Part> shown = shown(result);
    boolean said = shown.stream().anyMatch(part -> part instanceof Part.Text);
    return shown.size() - 1 + (shown.isEmpty() || (result.isError() && !said) ? 1 : 0);
  }

  private static List<Part> shown(Part.ToolResult result) {
    return result.content().stream()
        .filter(part -> !(part instanceof Part.Text text) || !text.text().isBlank())
        .toList();
  }

  /** An item as it came; what another interface of the provider made is no item here. */
  private static EncodedPart opaque(Part.Opaque opaque) {
    String raw = opaque.raw().strip();
    if (!JsonText.isObject(raw)
        || !((JsonObject) JsonValue.parse(raw)).string("type").orElse("").equals(opaque.kind())) {
      return EncodedPart.NONE;
    }
    return EncodedPart.of(raw.substring(0, raw.length() - 1));
  }
}

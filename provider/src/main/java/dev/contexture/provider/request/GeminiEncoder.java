package dev.contexture.provider.request;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.request.ReplyParts;
import dev.contexture.view.Part;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Parts in the form of Gemini, each without its last brace. A call is encoded from its name on: its
 * id depends on the model.
 */
record GeminiEncoder(EncodingCache.Search search) {
  static final String CALL = "functionCall";

  EncodedPart encode(Part part) {
    return switch (part) {
      case Part.Text text -> EncodedPart.of("{\"text\":" + EncodedPart.quoted(text.text()));
      case Part.Image image -> inline(image.mediaType(), image.data().base64());
      case Part.Document pdf -> inline(pdf.mediaType(), pdf.data().base64());
      case Part.ToolCall call -> call(call);
      case Part.ToolResult result -> response(result);
      case Part.Opaque opaque -> opaque(opaque);
    };
  }

  private static EncodedPart inline(String mediaType, String base64) {
    return EncodedPart.of(
        "{\"inlineData\":{\"mimeType\":"
            + EncodedPart.quoted(mediaType)
            + ",\"data\":\""
            + base64
            + "\"}");
  }

  private static EncodedPart call(Part.ToolCall call) {
    String open =
        "\"name\":" + EncodedPart.quoted(ToolNames.geminiName(call.name())) + ",\"args\":";
    if (call.arguments().isBlank()) {
      return EncodedPart.of(open + "{}}");
    }
    if (JsonText.isObject(call.arguments())) {
      return EncodedPart.of(open + JsonText.minify(call.arguments()) + "}");
    }
    JsonString text = new JsonString(call.arguments());
    return EncodedPart.wrapped(open + JsonObject.of(ReplyParts.RAW_ARGUMENTS, text).toJson() + "}");
  }

  /** What a result says: its texts, one per line, as output or as error. */
  EncodedPart response(Part result) {
    return response((Part.ToolResult) result, true);
  }

  /** The same; where media are parts of the result, nothing points at them. */
  static EncodedPart response(Part.ToolResult answer, boolean mediaFollow) {
    String said =
        answer.content().stream()
            .filter(part -> part instanceof Part.Text text && !text.text().isBlank())
            .map(part -> ((Part.Text) part).text())
            .collect(Collectors.joining("\n"));
    boolean media = mediaFollow && hasMedia(answer);
    String text = said;
    if (media) {
      text = said.isEmpty() ? MediaPlacement.BELOW : said + "\n" + MediaPlacement.BELOW;
    } else if (said.isEmpty()) {
      text = "(empty)";
    }
    return EncodedPart.of(
        (answer.isError() ? "{\"error\":" : "{\"output\":") + EncodedPart.quoted(text) + "}");
  }

  static boolean hasMedia(Part.ToolResult result) {
    return result.content().stream().anyMatch(part -> !(part instanceof Part.Text));
  }

  /** The media of a result as parts of it. */
  String mediaOf(Part.ToolResult result) {
    List<String> media =
        result.content().stream()
            .filter(part -> !(part instanceof Part.Text))
            .map(part -> search.get(part, this::encode).text() + "}")
            .toList();
    return media.isEmpty() ? "" : ",\"parts\":[" + String.join(",", media) + "]";
  }

  private static EncodedPart opaque(Part.Opaque opaque) {
    String raw = opaque.raw().strip();
    return JsonText.isObject(raw)
        ? EncodedPart.of(raw.substring(0, raw.length() - 1))
        : EncodedPart.NONE;
  }
}

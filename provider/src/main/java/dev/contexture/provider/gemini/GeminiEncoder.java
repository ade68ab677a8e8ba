package dev.contexture.provider.gemini;

import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.MediaPlacement;
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
      case Part.Opaque opaque -> EncodedPart.verbatim(opaque);
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
    String name = EncodedPart.quoted(GeminiFormat.TOOL_NAMES.wireName(call.name()));
    return EncodedPart.call("\"name\":" + name + ",\"args\":", call, "}");
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
}

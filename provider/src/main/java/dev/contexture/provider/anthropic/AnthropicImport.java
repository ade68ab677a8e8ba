package dev.contexture.provider.anthropic;

import dev.contexture.block.Binary;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.history.ForeignMessage;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;

/** Reads messages of Anthropic Messages. */
final class AnthropicImport extends ForeignHistoryReader {
  @Override
  protected ForeignMessage message(JsonObject message, String raw, int index, String pointer) {
    String role = message.string("role").orElse("");
    if (!message.has("content")) {
      throw malformed(pointer, "without content", "a message with content");
    }
    List<ForeignMessage.Piece> pieces = new ArrayList<>();
    for (Part part : parts(message, raw, "content", pointer)) {
      pieces.add(piece(part, pieces.size(), pointer));
    }
    return switch (role) {
      case "user" -> new ForeignMessage(ForeignMessage.Role.USER, index, pieces);
      case "assistant" -> new ForeignMessage(ForeignMessage.Role.ASSISTANT, index, pieces);
      case "system" -> new ForeignMessage(ForeignMessage.Role.INSTRUCTIONS, index, pieces);
      default -> throw malformed(pointer + "/role", role, "user, assistant or system");
    };
  }

  @Override
  protected List<Part> instructions(JsonObject body) {
    return parts(body, body.toJson(), "system", "");
  }

  private static ForeignMessage.Piece piece(Part part, int at, String pointer) {
    JsonObject json = part.json();
    return switch (part.type()) {
      case "text" -> new ForeignMessage.Text(at, json.string("text").orElse(""));
      case "image" -> source(json, at, "image/*");
      case "document" -> source(json, at, "application/pdf");
      case "tool_use" ->
          new ForeignMessage.Call(
              at,
              json.string("id").orElse(""),
              json.string("name").orElse(""),
              JsonText.member(part.raw(), "input").orElse("{}"));
      case "tool_result" -> {
        List<ForeignMessage.Piece> content = new ArrayList<>();
        for (Part inner : parts(json, part.raw(), "content", pointer)) {
          content.add(piece(inner, content.size(), pointer));
        }
        String id = json.string("tool_use_id").orElse("");
        yield new ForeignMessage.Result(at, id, json.isTrue("is_error"), content);
      }
      default ->
          new ForeignMessage.Opaque(at, part.type().isEmpty() ? "part" : part.type(), part.raw());
    };
  }

  private static ForeignMessage.Piece source(JsonObject json, int at, String usual) {
    JsonObject source = json.object("source").orElse(JsonObject.EMPTY);
    String mime = source.string("media_type").orElse(usual);
    return switch (source.string("type").orElse("")) {
      case "base64" ->
          new ForeignMessage.Media(
              at, mime, Binary.ofBase64(source.string("data").orElse("")), null, null);
      case "file" ->
          new ForeignMessage.Media(at, mime, null, null, source.string("file_id").orElse(null));
      case "text" -> new ForeignMessage.Text(at, source.string("data").orElse(""));
      default -> new ForeignMessage.Media(at, mime, null, source.string("url").orElse(""), null);
    };
  }
}

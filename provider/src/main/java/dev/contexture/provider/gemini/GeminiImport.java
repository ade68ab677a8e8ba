package dev.contexture.provider.gemini;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.history.ForeignMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads contents of generateContent, in either spelling of their members. */
final class GeminiImport extends ForeignHistoryReader {
  @Override
  protected List<String> members() {
    return List.of("contents", "history", "messages");
  }

  @Override
  protected ForeignMessage message(JsonObject message, String raw, int index, String pointer) {
    String role = message.string("role").orElse("user");
    if (!message.has("parts")) {
      throw malformed(pointer, "without parts", "a content with parts");
    }
    List<ForeignMessage.Piece> pieces = new ArrayList<>();
    int at = 0;
    for (Part part : parts(message, raw, "parts", pointer)) {
      pieces.addAll(pieces(part, at++));
    }
    ForeignMessage.Role known =
        switch (role) {
          case "user", "function", "tool" -> ForeignMessage.Role.USER;
          case "model" -> ForeignMessage.Role.ASSISTANT;
          case "system" -> ForeignMessage.Role.INSTRUCTIONS;
          default -> throw malformed(pointer + "/role", role, "user, model or function");
        };
    return new ForeignMessage(known, index, pieces, pointer, null, null);
  }

  @Override
  protected List<Part> instructions(JsonObject body) {
    JsonObject told =
        body.object("systemInstruction")
            .or(() -> body.object("system_instruction"))
            .orElse(JsonObject.EMPTY);
    return parts(told, told.toJson(), "parts", "/systemInstruction");
  }

  private static Optional<JsonObject> either(JsonObject json, String camel, String snake) {
    return json.object(camel).or(() -> json.object(snake));
  }

  private static List<ForeignMessage.Piece> pieces(Part part, int at) {
    JsonObject json = part.json();
    Optional<JsonObject> call = either(json, "functionCall", "function_call");
    if (call.isPresent()) {
      return call(call.get(), part, at);
    }
    Optional<JsonObject> answer = either(json, "functionResponse", "function_response");
    if (answer.isPresent()) {
      return List.of(result(answer.get(), at));
    }
    Optional<JsonObject> inline = either(json, "inlineData", "inline_data");
    if (inline.isPresent()) {
      String data = inline.get().string("data").orElse("");
      return List.of(
          media(at, mime(inline.get()), "data:" + mime(inline.get()) + ";base64," + data));
    }
    Optional<JsonObject> file = either(json, "fileData", "file_data");
    if (file.isPresent()) {
      String url = file.get().string("fileUri").or(() -> file.get().string("file_uri")).orElse("");
      return List.of(new ForeignMessage.Media(at, mime(file.get()), null, url, null));
    }
    boolean thought = GeminiParts.isThought(json);
    Optional<String> text = json.string("text");
    if (text.isEmpty() || thought) {
      String kind = thought ? "thought" : json.keys().stream().findFirst().orElse("part");
      return List.of(new ForeignMessage.Opaque(at, kind, part.raw()));
    }
    return signed(json)
        ? List.of(
            new ForeignMessage.Opaque(at, "text", part.raw(), true),
            new ForeignMessage.Text(at, text.get()))
        : List.of(new ForeignMessage.Text(at, text.get()));
  }

  private static boolean signed(JsonObject json) {
    return json.has("thoughtSignature") || json.has("thought_signature");
  }

  private static String mime(JsonObject json) {
    return json.string("mimeType")
        .or(() -> json.string("mime_type"))
        .orElse("application/octet-stream");
  }

  /** A signed call is kept as its maker wrote it, too. */
  private static List<ForeignMessage.Piece> call(JsonObject call, Part part, int at) {
    String raw =
        JsonText.member(part.raw(), "functionCall")
            .or(() -> JsonText.member(part.raw(), "function_call"))
            .flatMap(text -> JsonText.member(text, "args"))
            .orElse("{}");
    ForeignMessage.Call read =
        new ForeignMessage.Call(
            at, call.string("id").orElse(""), call.string("name").orElse(""), raw);
    return signed(part.json())
        ? List.of(new ForeignMessage.Opaque(at, "functionCall", part.raw(), true), read)
        : List.of(read);
  }

  /** A response that is one text is that text. */
  private static ForeignMessage.Result result(JsonObject answer, int at) {
    JsonObject response = answer.object("response").orElse(JsonObject.EMPTY);
    boolean failed = response.has("error") && response.size() == 1;
    String text =
        response.size() == 1
            ? response
                .string("result")
                .or(() -> response.string("output"))
                .or(() -> response.string("error"))
                .orElse(response.toJson())
            : response.toJson();
    return new ForeignMessage.Result(
        at,
        answer.string("id").orElse(""),
        failed,
        List.of(new ForeignMessage.Text(0, text)),
        answer.string("name").orElse(null));
  }
}

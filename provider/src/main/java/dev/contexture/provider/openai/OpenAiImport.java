package dev.contexture.provider.openai;

import dev.contexture.error.Choices;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.history.ForeignMessage;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;

/** Reads messages of Chat Completions. */
final class OpenAiImport extends ForeignHistoryReader {
  private static final List<String> ROLES =
      List.of("user", "assistant", "tool", "function", "system", "developer");
  private static final List<String> SAYING =
      List.of("content", "tool_calls", "function_call", "refusal", "reasoning_content", "audio");

  @Override
  protected ForeignMessage message(JsonObject message, String raw, int index, String pointer) {
    String role = message.string("role").orElse("");
    if (SAYING.stream().noneMatch(message::has)) {
      throw malformed(pointer, "without content", "a message with content or tool_calls");
    }
    List<ForeignMessage.Piece> pieces = new ArrayList<>();
    for (Part part : parts(message, raw, "content", pointer)) {
      pieces.add(piece(part, pieces.size()));
    }
    return switch (role) {
      case "user" -> new ForeignMessage(ForeignMessage.Role.USER, index, pieces);
      case "system", "developer" ->
          new ForeignMessage(ForeignMessage.Role.INSTRUCTIONS, index, pieces);
      case "function" ->
          new ForeignMessage(
              ForeignMessage.Role.USER,
              index,
              List.of(
                  new ForeignMessage.Result(
                      0, "", false, pieces, message.string("name").orElse(null))));
      case "tool" -> {
        String id = message.string("tool_call_id").orElse("");
        yield new ForeignMessage(
            ForeignMessage.Role.USER,
            index,
            List.of(new ForeignMessage.Result(0, id, false, pieces)));
      }
      case "assistant" -> assistant(message, raw, index, pieces, pointer);
      default -> throw malformed(pointer + "/role", role, Choices.inWords(ROLES));
    };
  }

  private static ForeignMessage assistant(
      JsonObject message,
      String raw,
      int index,
      List<ForeignMessage.Piece> pieces,
      String pointer) {
    for (String key : List.of("reasoning_content", "refusal")) {
      message
          .string(key)
          .filter(text -> !text.isEmpty())
          .ifPresent(
              text ->
                  pieces.add(
                      new ForeignMessage.Opaque(
                          pieces.size(),
                          key,
                          JsonObject.of(key, message.find(key).orElseThrow()).toJson())));
    }
    JsonArray calls = message.array("tool_calls").orElse(JsonArray.of());
    List<String> raws =
        JsonText.items(
            JsonText.member(raw, "tool_calls").filter(c -> c.startsWith("[")).orElse("[]"));
    for (int i = 0; i < calls.size(); i++) {
      String at = pointer + "/tool_calls/" + i;
      if (!(calls.items().get(i) instanceof JsonObject call)) {
        throw malformed(at, "another value", "a call");
      }
      JsonObject function = call.object("function").orElse(JsonObject.EMPTY);
      String name = function.string("name").orElse("");
      pieces.add(
          name.isEmpty()
              ? new ForeignMessage.Opaque(
                  pieces.size(), call.string("type").orElse("call"), JsonText.minify(raws.get(i)))
              : new ForeignMessage.Call(
                  pieces.size(),
                  call.string("id").orElse(""),
                  name,
                  function.string("arguments").orElse("")));
    }
    message
        .object("function_call")
        .ifPresent(
            call ->
                pieces.add(
                    new ForeignMessage.Call(
                        pieces.size(),
                        "",
                        call.string("name").orElse(""),
                        call.string("arguments").orElse(""))));
    return new ForeignMessage(ForeignMessage.Role.ASSISTANT, index, pieces);
  }

  private static ForeignMessage.Piece piece(Part part, int at) {
    JsonObject json = part.json();
    return switch (part.type()) {
      case "text" -> new ForeignMessage.Text(at, json.string("text").orElse(""));
      case "image_url" ->
          media(at, "image/*", json.object("image_url").flatMap(i -> i.string("url")).orElse(""));
      case "file" -> file(json.object("file").orElse(JsonObject.EMPTY), at);
      case "input_audio" -> {
        JsonObject audio = json.object("input_audio").orElse(JsonObject.EMPTY);
        String mime = "audio/" + audio.string("format").orElse("wav");
        yield media(at, mime, "data:" + mime + ";base64," + audio.string("data").orElse(""));
      }
      default ->
          new ForeignMessage.Opaque(at, part.type().isEmpty() ? "part" : part.type(), part.raw());
    };
  }

  private static ForeignMessage.Piece file(JsonObject file, int at) {
    String data = file.string("file_data").orElse("");
    String id = file.string("file_id").orElse(null);
    return data.isEmpty()
        ? new ForeignMessage.Media(at, "application/pdf", null, null, id)
        : media(at, "application/pdf", data);
  }
}

package dev.contexture.provider.openai;

import dev.contexture.error.Choices;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.history.ForeignMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads items of Responses: what a request has as input, or a response as output. */
final class ResponsesImport extends ForeignHistoryReader {
  private static final String INPUT = "input";

  @Override
  protected List<String> members() {
    return List.of(INPUT, "output", "items", "data", "messages");
  }

  /** An input may be one text of the user. */
  @Override
  public ForeignChat chat(String given) {
    if (JsonValue.parse(given) instanceof JsonObject body
        && body.find(INPUT).orElse(null) instanceof JsonString text) {
      JsonObject item =
          JsonObject.builder().put("role", "user").put("content", text.value()).build();
      return super.chat(
          body.toBuilder()
              .put(INPUT, new dev.contexture.json.JsonArray(List.of(item)))
              .build()
              .toJson());
    }
    return super.chat(given);
  }

  @Override
  protected List<Part> instructions(JsonObject body) {
    return parts(body, body.toJson(), "instructions", "");
  }

  /** What a model made between two inputs is one message. */
  @Override
  protected List<ForeignMessage> messages(String listText) {
    List<ForeignMessage> all = new ArrayList<>();
    List<ForeignMessage.Piece> said = new ArrayList<>();
    List<String> raws = JsonText.items(listText);
    int from = 0;
    for (int i = 0; i < raws.size(); i++) {
      String pointer = "/input/" + i;
      if (!(JsonValue.parse(raws.get(i)) instanceof JsonObject item)) {
        throw malformed(pointer, "another value", "an item");
      }
      from = said.isEmpty() ? i : from;
      ForeignMessage other = item(item, JsonText.minify(raws.get(i)), i, pointer, said);
      if (other != null) {
        addSaid(all, from, said);
        all.add(other);
      }
    }
    addSaid(all, from, said);
    return all;
  }

  private static void addSaid(
      List<ForeignMessage> all, int index, List<ForeignMessage.Piece> said) {
    if (!said.isEmpty()) {
      all.add(message(ForeignMessage.Role.ASSISTANT, index, said));
      said.clear();
    }
  }

  private static ForeignMessage message(
      ForeignMessage.Role role, int index, List<ForeignMessage.Piece> pieces) {
    return new ForeignMessage(role, index, pieces, "/input/" + index, null, null);
  }

  /** The message that an item is; null: it was added to what the model said. */
  private static @Nullable ForeignMessage item(
      JsonObject item, String raw, int index, String pointer, List<ForeignMessage.Piece> said) {
    String type = item.string("type").orElse(item.has("role") ? "message" : "");
    switch (type) {
      case "message" -> {
        return message(item, raw, index, pointer, said);
      }
      case "function_call", "custom_tool_call" -> {
        call(item, raw, type, said);
        return null;
      }
      case "function_call_output", "custom_tool_call_output" -> {
        List<ForeignMessage.Piece> content = pieces(parts(item, raw, "output", pointer));
        String id = item.string("call_id").orElse("");
        return message(
            ForeignMessage.Role.USER,
            index,
            List.of(new ForeignMessage.Result(0, id, false, content)));
      }
      case "" -> throw malformed(pointer, "without type", "an item with a type or a role");
      default -> {
        said.add(new ForeignMessage.Opaque(said.size(), type, raw));
        return null;
      }
    }
  }

  private static void call(
      JsonObject item, String raw, String type, List<ForeignMessage.Piece> said) {
    int at = said.size();
    if (type.equals("function_call") && item.has("id")) {
      said.add(new ForeignMessage.Opaque(at, type, raw, true));
    }
    String arguments =
        type.equals("function_call")
            ? item.string("arguments").orElse("")
            : JsonObject.of("input", item.find("input").orElse(JsonValue.of(""))).toJson();
    said.add(
        new ForeignMessage.Call(
            at, item.string("call_id").orElse(""), item.string("name").orElse(""), arguments));
  }

  private static @Nullable ForeignMessage message(
      JsonObject item, String raw, int index, String pointer, List<ForeignMessage.Piece> said) {
    String role = item.string("role").orElse("");
    List<ForeignMessage.Piece> pieces = pieces(parts(item, raw, "content", pointer));
    switch (role) {
      case "user" -> {
        return message(ForeignMessage.Role.USER, index, pieces);
      }
      case "system", "developer" -> {
        return message(ForeignMessage.Role.INSTRUCTIONS, index, pieces);
      }
      case "assistant" -> {
        spoken(item, raw, pieces, said);
        return null;
      }
      default ->
          throw malformed(
              pointer + "/role",
              role,
              Choices.inWords(List.of("user", "assistant", "system", "developer")));
    }
  }

  /** The texts of an answer are one, as its maker wrote them if it has an id. */
  private static void spoken(
      JsonObject item,
      String raw,
      List<ForeignMessage.Piece> pieces,
      List<ForeignMessage.Piece> said) {
    StringBuilder text = new StringBuilder();
    for (ForeignMessage.Piece piece : pieces) {
      if (piece instanceof ForeignMessage.Text part) {
        text.append(part.text());
      }
    }
    int at = said.size();
    if (item.has("id")) {
      said.add(new ForeignMessage.Opaque(at, "message", raw, true));
    }
    if (!text.isEmpty()) {
      said.add(new ForeignMessage.Text(at, text.toString()));
    }
  }

  private static List<ForeignMessage.Piece> pieces(List<Part> parts) {
    List<ForeignMessage.Piece> pieces = new ArrayList<>();
    for (Part part : parts) {
      pieces.add(piece(part, pieces.size()));
    }
    return pieces;
  }

  private static ForeignMessage.Piece piece(Part part, int at) {
    JsonObject json = part.json();
    return switch (part.type()) {
      case "text", "input_text", "output_text" ->
          new ForeignMessage.Text(at, json.string("text").orElse(""));
      case "refusal" -> new ForeignMessage.Text(at, json.string("refusal").orElse(""));
      case "input_image" ->
          json.has("image_url")
              ? media(at, "image/*", json.string("image_url").orElse(""))
              : fileOf(json, at, "image/*");
      case "input_file" -> fileOf(json, at, "application/pdf");
      default ->
          new ForeignMessage.Opaque(at, part.type().isEmpty() ? "part" : part.type(), part.raw());
    };
  }

  private static ForeignMessage.Piece fileOf(JsonObject json, int at, String mime) {
    String url = json.string("file_data").or(() -> json.string("file_url")).orElse("");
    return url.isEmpty()
        ? new ForeignMessage.Media(at, mime, null, null, json.string("file_id").orElse(null))
        : media(at, mime, url);
  }

  @Override
  protected ForeignMessage message(JsonObject message, String raw, int index, String pointer) {
    throw malformed(pointer, "a message", "an item");
  }
}

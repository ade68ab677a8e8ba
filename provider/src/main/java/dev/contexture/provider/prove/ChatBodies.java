package dev.contexture.provider.prove;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of Chat Completions apart. */
final class ChatBodies extends BodyReader {
  static final String MARK = "prompt_cache_breakpoint";

  ChatBodies() {
    super(Format.CHAT);
  }

  @Override
  Entry entry(JsonObject message, String raw, String pointer) {
    Entry.Role role = role(message, pointer);
    List<Item> said = new ArrayList<>();
    List<JsonValue> content = content(message, "content");
    for (int i = 0; i < content.size(); i++) {
      String at = "/content/" + i;
      Item item = item(object(content.get(i), pointer + at), at);
      said.add(role == Entry.Role.SYSTEM ? item.raw(textOf(content.get(i))) : item);
    }
    boolean reasoning = message.has("reasoning_content");
    if (role == Entry.Role.TOOL) {
      Item result =
          Item.of(Item.Kind.RESULT, "tool", "")
              .id(message.string("tool_call_id").orElse(""))
              .blank(isBlank(said))
              .nested(said);
      return new Entry(role, "", List.of(result), reasoning);
    }
    if (role == Entry.Role.ASSISTANT) {
      message.string("refusal").ifPresent(no -> said.add(text("refusal", "/refusal", no)));
      message.object("audio").ifPresent(audio -> said.add(other("audio", "/audio")));
    }
    List<JsonValue> calls = content(message, "tool_calls");
    for (int i = 0; i < calls.size(); i++) {
      String at = "/tool_calls/" + i;
      said.add(call(object(calls.get(i), pointer + at), at));
    }
    return new Entry(role, "", said, reasoning);
  }

  private static Item other(String type, String at) {
    return Item.of(Item.Kind.OTHER, type, at);
  }

  private static Item item(JsonObject part, String at) {
    String type = part.string("type").orElse("");
    Item bare =
        switch (type) {
          case "text" -> text(type, at, part.string("text").orElse(""));
          case "image_url" ->
              media(
                  type, at, part.object("image_url").flatMap(url -> url.string("url")).orElse(""));
          case "file" ->
              media(
                  type,
                  at,
                  part.object("file").flatMap(file -> file.string("file_data")).orElse(""));
          default -> other(type, at);
        };
    return bare.mark(mark(part, MARK));
  }

  /** The text of a part; empty if it has none. */
  static String textOf(JsonValue part) {
    return part instanceof JsonObject object ? object.string("text").orElse("") : "";
  }

  static Item media(String type, String at, String url) {
    return Item.of(Item.Kind.MEDIA, type, at).name(dataType(url));
  }

  private static Item call(JsonObject call, String at) {
    String name = call.object("function").flatMap(made -> made.string("name")).orElse("");
    return Item.of(Item.Kind.CALL, "function", at)
        .id(call.string("id").orElse(""))
        .name(
            name.isEmpty()
                ? call.object("custom").flatMap(c -> c.string("name")).orElse("")
                : name);
  }

  @Override
  List<Item> tools(JsonObject settings) {
    List<Item> tools = new ArrayList<>();
    for (JsonValue value : content(settings, "tools")) {
      String pointer = "/tools/" + tools.size();
      JsonObject tool = object(value, pointer);
      String name =
          tool.object("function")
              .or(() -> tool.object("custom"))
              .flatMap(f -> f.string("name"))
              .orElse("");
      tools.add(other("tool", pointer).name(name));
    }
    return tools;
  }

  @Override
  List<Item> system(JsonObject settings) {
    return List.of();
  }
}

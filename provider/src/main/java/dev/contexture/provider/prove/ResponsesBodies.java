package dev.contexture.provider.prove;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of Responses apart. */
final class ResponsesBodies extends BodyReader {
  ResponsesBodies() {
    super(Format.RESPONSES);
  }

  @Override
  Entry entry(JsonObject item, String raw, String pointer) {
    String type = item.string("type").orElse("message");
    return switch (type) {
      case "message" -> message(item, pointer);
      case "function_call" ->
          made(
              Item.of(Item.Kind.CALL, type, "")
                  .id(item.string("call_id").orElse(""))
                  .name(item.string("name").orElse(""))
                  .raw(item.string("id").orElse("")));
      case "function_call_output" -> output(item, pointer);
      case "reasoning" ->
          made(
              Item.of(Item.Kind.THINKING, type, "")
                  .id(item.string("id").orElse(""))
                  .signed(!item.string("encrypted_content").orElse("").isEmpty())
                  .raw(JsonText.minify(raw)));
      default ->
          new Entry(
              type.endsWith("_output") ? Entry.Role.TOOL : Entry.Role.ASSISTANT,
              "",
              List.of(Item.of(Item.Kind.OTHER, type, "")),
              false);
    };
  }

  private static Entry made(Item item) {
    return new Entry(Entry.Role.ASSISTANT, "", List.of(item), false);
  }

  private static Entry message(JsonObject item, String pointer) {
    Entry.Role role = role(item, pointer);
    List<Item> items = new ArrayList<>();
    for (JsonValue value : content(item, "content")) {
      String at = "/content/" + items.size();
      Item part = part(object(value, pointer + at), at).id(item.string("id").orElse(null));
      items.add(role == Entry.Role.SYSTEM ? part.raw(ChatBodies.textOf(value)) : part);
    }
    if (role == Entry.Role.ASSISTANT) { // what the model made is blank as a whole or not at all
      boolean blank = isBlank(items);
      items.replaceAll(part -> part.blank(blank));
    }
    return new Entry(role, "", items, false);
  }

  private static Entry output(JsonObject item, String pointer) {
    List<Item> nested = new ArrayList<>();
    for (JsonValue value : content(item, "output")) {
      String at = "/output/" + nested.size();
      nested.add(part(object(value, pointer + at), at));
    }
    Item result =
        Item.of(Item.Kind.RESULT, "function_call_output", "")
            .id(item.string("call_id").orElse(""))
            .blank(isBlank(nested))
            .nested(nested);
    return new Entry(Entry.Role.TOOL, "", List.of(result), false);
  }

  private static Item part(JsonObject part, String at) {
    String type = part.string("type").orElse("");
    Item bare =
        switch (type) {
          case "text", "input_text", "output_text" ->
              text(type, at, part.string("text").orElse(""));
          case "refusal" -> text(type, at, part.string("refusal").orElse(""));
          case "input_image" -> ChatBodies.media(type, at, part.string("image_url").orElse(""));
          case "input_file" -> ChatBodies.media(type, at, part.string("file_data").orElse(""));
          default -> Item.of(Item.Kind.OTHER, type, at);
        };
    return bare.mark(mark(part, ChatBodies.MARK));
  }

  /** What the model made in a row is one message: reasoning, texts and calls belong together. */
  @Override
  List<Entry> joined(List<Entry> entries) {
    List<Entry> joined = new ArrayList<>();
    List<Item> run = new ArrayList<>();
    String pointer = "";
    for (Entry entry : entries) {
      if (entry.is(Entry.Role.ASSISTANT) && !entry.items().isEmpty()) {
        pointer = run.isEmpty() ? entry.pointer() : pointer;
        run.addAll(entry.items());
        continue;
      }
      end(run, pointer, joined);
      joined.add(entry);
    }
    end(run, pointer, joined);
    return joined;
  }

  private static void end(List<Item> run, String pointer, List<Entry> joined) {
    if (!run.isEmpty()) {
      joined.add(new Entry(Entry.Role.ASSISTANT, pointer, run, false));
      run.clear();
    }
  }

  @Override
  List<Item> tools(JsonObject settings) {
    List<Item> tools = new ArrayList<>();
    for (JsonValue value : content(settings, "tools")) {
      String pointer = "/tools/" + tools.size();
      JsonObject tool = object(value, pointer);
      String type = tool.string("type").orElse("");
      tools.add(Item.of(Item.Kind.OTHER, "tool", pointer).name(tool.string("name").orElse(type)));
    }
    return tools;
  }

  @Override
  List<Item> system(JsonObject settings) {
    return settings
        .string("instructions")
        .map(text -> List.of(text("text", "/instructions", text)))
        .orElse(List.of());
  }
}

package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.ToolTypes;
import dev.contexture.provider.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of Anthropic Messages apart. */
final class AnthropicParser extends BodyParser {
  private static final String MARK = "cache_control";
  private static final String CUSTOM = "custom";

  AnthropicParser(WireFormat format) {
    super(format);
  }

  @Override
  protected BodyMessage entry(JsonObject message, String raw, String pointer) {
    List<JsonValue> content = content(message, "content");
    List<BodyPart> items = new ArrayList<>();
    for (int i = 0; i < content.size(); i++) {
      String at = "/content/" + i;
      JsonObject part = object(content.get(i), pointer + at);
      BodyPart item = item(part, at, pointer);
      items.add(item.is(BodyPart.Kind.THINKING) ? item.raw(rawPart(raw, i)) : item);
    }
    return new BodyMessage(role(message, pointer), "", items, false);
  }

  private static String rawPart(String message, int index) {
    return JsonText.minify(
        JsonText.items(JsonText.member(message, "content").orElse("[]")).get(index));
  }

  private static BodyPart item(JsonObject part, String at, String pointer) {
    String type = part.string("type").orElse("");
    BodyPart bare =
        switch (type) {
          case "text" -> text(textType(part), at, part.string("text").orElse(""));
          case "image", "document" ->
              BodyPart.of(BodyPart.Kind.MEDIA, type, at).name(mediaType(part));
          case "tool_use" ->
              BodyPart.of(BodyPart.Kind.CALL, type, at)
                  .id(part.string("id").orElse(""))
                  .name(part.string("name").orElse(""));
          case "tool_result" -> result(part, at, pointer);
          case "thinking" ->
              BodyPart.of(BodyPart.Kind.THINKING, type, at)
                  .signed(!part.string("signature").orElse("").isEmpty());
          case "redacted_thinking" ->
              BodyPart.of(BodyPart.Kind.THINKING, type, at)
                  .signed(!part.string("data").orElse("").isEmpty());
          case "search_result" ->
              BodyPart.of(BodyPart.Kind.OTHER, type, at).nested(nested(part, at, pointer));
          default ->
              BodyPart.of(ServerToolPairs.kind(type), type, at)
                  .id(ServerToolPairs.id(part).orElse(null));
        };
    return bare.mark(mark(part, MARK));
  }

  private static String textType(JsonObject part) {
    boolean cites = part.array("citations").filter(list -> list.size() > 0).isPresent();
    return cites ? BodyPart.CITED_TEXT : "text";
  }

  private static BodyPart result(JsonObject part, String at, String pointer) {
    List<BodyPart> nested = nested(part, at, pointer);
    return BodyPart.of(BodyPart.Kind.RESULT, "tool_result", at)
        .id(part.string("tool_use_id").orElse(""))
        .blank(isBlank(nested))
        .nested(nested);
  }

  private static List<BodyPart> nested(JsonObject part, String at, String pointer) {
    List<JsonValue> content = content(part, "content");
    List<BodyPart> nested = new ArrayList<>();
    for (int i = 0; i < content.size(); i++) {
      String inner = at + "/content/" + i;
      nested.add(item(object(content.get(i), pointer + inner), inner, pointer));
    }
    return nested;
  }

  private static String mediaType(JsonObject part) {
    return part.object("source").flatMap(source -> source.string("media_type")).orElse("");
  }

  @Override
  protected List<BodyPart> tools(JsonObject settings) {
    List<BodyPart> tools = new ArrayList<>();
    for (JsonValue value : content(settings, "tools")) {
      String pointer = "/tools/" + tools.size();
      JsonObject tool = object(value, pointer);
      tools.add(tool(tool, pointer).mark(mark(tool, MARK)));
    }
    return tools;
  }

  private static BodyPart tool(JsonObject tool, String pointer) {
    String type = tool.string("type").orElse(CUSTOM);
    String name = tool.string("name").orElse("");
    if (ToolTypes.isOfOpenAi(type) || (!tool.has("type") && !tool.has("name"))) {
      return foreignTool(tool, pointer);
    }
    return type.equals(CUSTOM)
        ? function(name, pointer, tool.object("input_schema").orElse(JsonObject.EMPTY))
        : nativeTool(name.isEmpty() ? type : name, pointer);
  }

  @Override
  protected List<BodyPart> system(JsonObject settings) {
    List<BodyPart> system = new ArrayList<>();
    for (JsonValue value : content(settings, "system")) {
      String pointer = "/system/" + system.size();
      JsonObject part = object(value, pointer);
      system.add(text("text", pointer, part.string("text").orElse("")).mark(mark(part, MARK)));
    }
    return system;
  }
}

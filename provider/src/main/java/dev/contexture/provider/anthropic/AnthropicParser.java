package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of Anthropic Messages apart. */
final class AnthropicParser extends BodyParser {
  private static final String MARK = "cache_control";

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
          case "text" -> text(type, at, part.string("text").orElse(""));
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
          default -> BodyPart.of(BodyPart.Kind.OTHER, type, at);
        };
    return bare.mark(mark(part, MARK));
  }

  private static BodyPart result(JsonObject part, String at, String pointer) {
    List<JsonValue> content = content(part, "content");
    List<BodyPart> nested = new ArrayList<>();
    for (int i = 0; i < content.size(); i++) {
      String inner = at + "/content/" + i;
      nested.add(item(object(content.get(i), pointer + inner), inner, pointer));
    }
    return BodyPart.of(BodyPart.Kind.RESULT, "tool_result", at)
        .id(part.string("tool_use_id").orElse(""))
        .blank(isBlank(nested))
        .nested(nested);
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
      tools.add(
          BodyPart.of(BodyPart.Kind.OTHER, "tool", pointer)
              .name(tool.string("name").orElse(""))
              .mark(mark(tool, MARK)));
    }
    return tools;
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

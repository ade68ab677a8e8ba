package dev.contexture.provider.openai;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.ToolTypes;
import dev.contexture.provider.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of Chat Completions apart. */
final class ChatParser extends BodyParser {
  static final String MARK = "prompt_cache_breakpoint";

  ChatParser(WireFormat format) {
    super(format);
  }

  @Override
  protected BodyMessage entry(JsonObject message, String raw, String pointer) {
    BodyMessage.Role role = role(message, pointer);
    List<BodyPart> said = new ArrayList<>();
    List<JsonValue> content = content(message, "content");
    for (int i = 0; i < content.size(); i++) {
      String at = "/content/" + i;
      BodyPart item = item(object(content.get(i), pointer + at), at);
      said.add(role == BodyMessage.Role.SYSTEM ? item.raw(textOf(content.get(i))) : item);
    }
    boolean reasoning = message.has("reasoning_content");
    if (role == BodyMessage.Role.TOOL) {
      BodyPart result =
          BodyPart.of(BodyPart.Kind.RESULT, "tool", "")
              .id(message.string("tool_call_id").orElse(""))
              .blank(isBlank(said))
              .nested(said);
      return new BodyMessage(role, "", List.of(result), reasoning);
    }
    if (role == BodyMessage.Role.ASSISTANT) {
      message.string("refusal").ifPresent(no -> said.add(text("refusal", "/refusal", no)));
      message.object("audio").ifPresent(audio -> said.add(other("audio", "/audio")));
    }
    List<JsonValue> calls = content(message, "tool_calls");
    for (int i = 0; i < calls.size(); i++) {
      String at = "/tool_calls/" + i;
      said.add(call(object(calls.get(i), pointer + at), at));
    }
    return new BodyMessage(role, "", said, reasoning);
  }

  private static BodyPart other(String type, String at) {
    return BodyPart.of(BodyPart.Kind.OTHER, type, at);
  }

  private static BodyPart item(JsonObject part, String at) {
    String type = part.string("type").orElse("");
    BodyPart bare =
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

  static BodyPart media(String type, String at, String url) {
    return BodyPart.of(BodyPart.Kind.MEDIA, type, at).name(dataType(url));
  }

  private static BodyPart call(JsonObject call, String at) {
    String name = call.object("function").flatMap(made -> made.string("name")).orElse("");
    return BodyPart.of(BodyPart.Kind.CALL, "function", at)
        .id(call.string("id").orElse(""))
        .name(
            name.isEmpty()
                ? call.object("custom").flatMap(c -> c.string("name")).orElse("")
                : name);
  }

  @Override
  protected List<BodyPart> tools(JsonObject settings) {
    List<BodyPart> tools = new ArrayList<>();
    for (JsonValue value : content(settings, "tools")) {
      String pointer = "/tools/" + tools.size();
      JsonObject tool = object(value, pointer);
      JsonObject function = tool.object("function").orElse(null);
      String type = tool.string("type").orElse("");
      tools.add(
          function == null
              ? notFunction(tool, type, pointer)
              : function(
                  function.string("name").orElse(""),
                  pointer,
                  function.object("parameters").orElse(null)));
    }
    return tools;
  }

  /** A tool of the provider itself, or of another one. */
  static BodyPart notFunction(JsonObject tool, String type, String pointer) {
    return type.isEmpty() || ToolTypes.isOfAnthropic(type)
        ? foreignTool(tool, pointer)
        : nativeTool(tool.string("name").orElse(type), pointer);
  }

  @Override
  protected List<BodyPart> system(JsonObject settings) {
    return List.of();
  }
}

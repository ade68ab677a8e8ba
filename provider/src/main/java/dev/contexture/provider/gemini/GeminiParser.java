package dev.contexture.provider.gemini;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of Gemini apart. */
final class GeminiParser extends BodyParser {
  GeminiParser(WireFormat format) {
    super(format);
  }

  @Override
  protected BodyMessage entry(JsonObject message, String raw, String pointer) {
    List<BodyPart> items = new ArrayList<>();
    for (JsonValue value : content(message, "parts")) {
      String at = "/parts/" + items.size();
      BodyPart item = item(object(value, pointer + at), at);
      items.add(item.is(BodyPart.Kind.THINKING) ? item.raw(rawPart(raw, items.size())) : item);
    }
    BodyMessage.Role role = message.has("role") ? role(message, pointer) : BodyMessage.Role.USER;
    return new BodyMessage(role, "", items, false);
  }

  private static String rawPart(String message, int index) {
    return JsonText.minify(
        JsonText.items(JsonText.member(message, "parts").orElse("[]")).get(index));
  }

  private static BodyPart item(JsonObject part, String at) {
    boolean signed = part.has("thoughtSignature");
    if (part.isTrue("thought")) {
      return BodyPart.of(BodyPart.Kind.THINKING, "thought", at).signed(true);
    }
    if (part.object("functionCall").isPresent()) {
      JsonObject call = part.object("functionCall").orElseThrow();
      return BodyPart.of(BodyPart.Kind.CALL, "functionCall", at)
          .id(call.string("id").orElse(null))
          .name(call.string("name").orElse(""))
          .signed(signed);
    }
    if (part.object("functionResponse").isPresent()) {
      return result(part.object("functionResponse").orElseThrow(), at);
    }
    if (part.string("text").isPresent()) {
      String text = part.string("text").orElseThrow();
      return text("text", at, text).blank(text.isBlank() && !signed).signed(signed);
    }
    return media(part, at);
  }

  private static BodyPart media(JsonObject part, String at) {
    for (String member : List.of("inlineData", "fileData")) {
      if (part.object(member).isPresent()) {
        String type = part.object(member).flatMap(data -> data.string("mimeType")).orElse("");
        return BodyPart.of(BodyPart.Kind.MEDIA, member, at).name(type);
      }
    }
    return BodyPart.of(BodyPart.Kind.OTHER, part.keys().stream().findFirst().orElse(""), at);
  }

  private static BodyPart result(JsonObject result, String at) {
    JsonObject response = result.object("response").orElse(JsonObject.EMPTY);
    List<BodyPart> nested = new ArrayList<>();
    for (JsonValue value : content(result, "parts")) {
      String inner = at + "/functionResponse/parts/" + nested.size();
      nested.add(media(object(value, inner), inner));
    }
    boolean says =
        response.members().values().stream()
            .anyMatch(
                value ->
                    !(value instanceof dev.contexture.json.JsonString text)
                        || !text.value().isBlank());
    return BodyPart.of(BodyPart.Kind.RESULT, "functionResponse", at)
        .id(result.string("id").orElse(null))
        .name(result.string("name").orElse(""))
        .blank(!says && nested.isEmpty())
        .nested(nested);
  }

  @Override
  protected List<BodyPart> tools(JsonObject settings) {
    List<BodyPart> tools = new ArrayList<>();
    List<JsonValue> groups = content(settings, "tools");
    for (int i = 0; i < groups.size(); i++) {
      JsonObject group = object(groups.get(i), "/tools/" + i);
      List<JsonValue> declared = content(group, "functionDeclarations");
      for (int j = 0; j < declared.size(); j++) {
        String pointer = "/tools/" + i + "/functionDeclarations/" + j;
        JsonObject function = object(declared.get(j), pointer);
        JsonObject schema =
            function
                .object("parametersJsonSchema")
                .or(() -> function.object("parameters"))
                .orElse(null);
        tools.add(function(function.string("name").orElse(""), pointer, schema));
      }
      if (group.has("type") || group.has("name")) {
        tools.add(foreignTool(group, "/tools/" + i));
      } else if (declared.isEmpty()) {
        String type = group.keys().stream().findFirst().orElse("tool");
        tools.add(nativeTool(type, "/tools/" + i));
      }
    }
    return tools;
  }

  @Override
  protected List<BodyPart> system(JsonObject settings) {
    List<BodyPart> system = new ArrayList<>();
    JsonObject content = settings.object("systemInstruction").orElse(JsonObject.EMPTY);
    for (JsonValue value : content(content, "parts")) {
      String pointer = "/systemInstruction/parts/" + system.size();
      JsonObject part = object(value, pointer);
      system.add(text("text", pointer, part.string("text").orElse("")));
    }
    return system;
  }
}

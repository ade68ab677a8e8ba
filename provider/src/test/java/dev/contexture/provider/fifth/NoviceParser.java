package dev.contexture.provider.fifth;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of the provider that does not exist apart. */
final class NoviceParser extends BodyParser {
  NoviceParser(WireFormat format) {
    super(format);
  }

  @Override
  protected BodyMessage entry(JsonObject message, String raw, String pointer) {
    List<BodyPart> parts = new ArrayList<>();
    for (JsonValue value : content(message, "said")) {
      String at = "/said/" + parts.size();
      parts.add(part(object(value, pointer + at), at));
    }
    boolean human = message.string("by").orElse("").equals("human");
    return new BodyMessage(
        human ? BodyMessage.Role.USER : BodyMessage.Role.ASSISTANT, "", parts, false);
  }

  private static BodyPart part(JsonObject part, String at) {
    String id = part.string("ticket").orElse("");
    if (part.has("ask")) {
      return BodyPart.of(BodyPart.Kind.CALL, "ask", at).id(id).name(part.string("ask").orElse(""));
    }
    return part.has("reply")
        ? BodyPart.of(BodyPart.Kind.RESULT, "reply", at).id(id)
        : text("words", at, part.string("words").orElse(""));
  }

  @Override
  protected List<BodyPart> tools(JsonObject settings) {
    List<BodyPart> tools = new ArrayList<>();
    for (JsonValue value : content(settings, "tools")) {
      String pointer = "/tools/" + tools.size();
      String name = object(value, pointer).string("name").orElse("");
      tools.add(BodyPart.of(BodyPart.Kind.OTHER, "tool", pointer).name(name));
    }
    return tools;
  }

  @Override
  protected List<BodyPart> system(JsonObject settings) {
    return List.of();
  }
}

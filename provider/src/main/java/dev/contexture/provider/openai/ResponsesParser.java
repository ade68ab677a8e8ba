package dev.contexture.provider.openai;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;

/** Takes bodies of Responses apart. */
final class ResponsesParser extends BodyParser {
  ResponsesParser(WireFormat format) {
    super(format);
  }

  @Override
  protected BodyMessage entry(JsonObject item, String raw, String pointer) {
    String type = item.string("type").orElse("message");
    return switch (type) {
      case "message" -> message(item, pointer);
      case "function_call" ->
          made(
              BodyPart.of(BodyPart.Kind.CALL, type, "")
                  .id(item.string("call_id").orElse(""))
                  .name(item.string("name").orElse(""))
                  .raw(item.string("id").orElse("")));
      case "function_call_output" -> output(item, pointer);
      case "reasoning" ->
          made(
              BodyPart.of(BodyPart.Kind.THINKING, type, "")
                  .id(item.string("id").orElse(""))
                  .signed(!item.string("encrypted_content").orElse("").isEmpty())
                  .raw(JsonText.minify(raw)));
      default ->
          new BodyMessage(
              type.endsWith("_output") ? BodyMessage.Role.TOOL : BodyMessage.Role.ASSISTANT,
              "",
              List.of(BodyPart.of(BodyPart.Kind.OTHER, type, "")),
              false);
    };
  }

  private static BodyMessage made(BodyPart item) {
    return new BodyMessage(BodyMessage.Role.ASSISTANT, "", List.of(item), false);
  }

  private static BodyMessage message(JsonObject item, String pointer) {
    BodyMessage.Role role = role(item, pointer);
    List<BodyPart> items = new ArrayList<>();
    for (JsonValue value : content(item, "content")) {
      String at = "/content/" + items.size();
      BodyPart part = part(object(value, pointer + at), at).id(item.string("id").orElse(null));
      items.add(role == BodyMessage.Role.SYSTEM ? part.raw(ChatParser.textOf(value)) : part);
    }
    if (role
        == BodyMessage.Role.ASSISTANT) { // what the model made is blank as a whole or not at all
      boolean blank = isBlank(items);
      items.replaceAll(part -> part.blank(blank));
    }
    return new BodyMessage(role, "", items, false);
  }

  private static BodyMessage output(JsonObject item, String pointer) {
    List<BodyPart> nested = new ArrayList<>();
    for (JsonValue value : content(item, "output")) {
      String at = "/output/" + nested.size();
      nested.add(part(object(value, pointer + at), at));
    }
    BodyPart result =
        BodyPart.of(BodyPart.Kind.RESULT, "function_call_output", "")
            .id(item.string("call_id").orElse(""))
            .blank(isBlank(nested))
            .nested(nested);
    return new BodyMessage(BodyMessage.Role.TOOL, "", List.of(result), false);
  }

  private static BodyPart part(JsonObject part, String at) {
    String type = part.string("type").orElse("");
    BodyPart bare =
        switch (type) {
          case "text", "input_text", "output_text" ->
              text(type, at, part.string("text").orElse(""));
          case "refusal" -> text(type, at, part.string("refusal").orElse(""));
          case "input_image" -> ChatParser.media(type, at, part.string("image_url").orElse(""));
          case "input_file" -> ChatParser.media(type, at, part.string("file_data").orElse(""));
          default -> BodyPart.of(BodyPart.Kind.OTHER, type, at);
        };
    return bare.mark(mark(part, ChatParser.MARK));
  }

  /** What the model made in a row is one message: reasoning, texts and calls belong together. */
  @Override
  protected List<BodyMessage> joined(List<BodyMessage> entries) {
    List<BodyMessage> joined = new ArrayList<>();
    List<BodyPart> run = new ArrayList<>();
    String pointer = "";
    for (BodyMessage entry : entries) {
      if (entry.is(BodyMessage.Role.ASSISTANT) && !entry.items().isEmpty()) {
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

  private static void end(List<BodyPart> run, String pointer, List<BodyMessage> joined) {
    if (!run.isEmpty()) {
      joined.add(new BodyMessage(BodyMessage.Role.ASSISTANT, pointer, run, false));
      run.clear();
    }
  }

  @Override
  protected List<BodyPart> tools(JsonObject settings) {
    List<BodyPart> tools = new ArrayList<>();
    for (JsonValue value : content(settings, "tools")) {
      String pointer = "/tools/" + tools.size();
      JsonObject tool = object(value, pointer);
      String type = tool.string("type").orElse("");
      String name = tool.string("name").orElse(type);
      tools.add(
          type.equals("function")
              ? function(name, pointer, tool.object("parameters").orElse(null))
              : ChatParser.notFunction(tool, type, pointer));
    }
    return tools;
  }

  @Override
  protected List<BodyPart> system(JsonObject settings) {
    return settings
        .string("instructions")
        .map(text -> List.of(text("text", "/instructions", text)))
        .orElse(List.of());
  }
}

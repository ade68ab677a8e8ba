package dev.contexture.provider.request;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelProfiles;
import dev.contexture.render.Message;
import dev.contexture.request.ReplyParts;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A body for {@code POST /v1/messages}. */
final class AnthropicBody extends BodyWriter {
  private static final int MAX_MARKS = 4;
  private static final Set<String> MARKABLE = Set.of("text", "tool_use");

  private static final byte[] USER = EncodedPart.bytes("{\"role\":\"user\",\"content\":[");
  private static final byte[] ASSISTANT =
      EncodedPart.bytes("{\"role\":\"assistant\",\"content\":[");
  private static final byte[] END_MESSAGE = EncodedPart.bytes("]},");

  private @Nullable MessageRole role; // of the message that is being written
  private int message = -1;
  private int content;

  AnthropicBody(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(input, profiles, before);
  }

  @Override
  void writeAll() {
    put("{\"model\":" + EncodedPart.quoted(input.model().model()));
    put(",\"max_tokens\":" + input.maxOutputTokens());
    if (!input.tools().isEmpty()) {
      put(",\"tools\":");
      tools();
      put(toolChoice());
    }
    system();
    put(",\"messages\":[");
    messages(0);
    put(role == null ? "]" : "]}]");
    put(input.stream() ? ",\"stream\":true}" : "}");
  }

  private String toolChoice() {
    return switch (input.toolChoice()) {
      case ToolChoice.Mode mode ->
          switch (mode) {
            case AUTO -> "";
            case REQUIRED -> ",\"tool_choice\":{\"type\":\"any\"}";
            case NONE -> ",\"tool_choice\":{\"type\":\"none\"}";
          };
      case ToolChoice.Tool tool ->
          ",\"tool_choice\":{\"type\":\"tool\",\"name\":"
              + EncodedPart.quoted(ToolNames.wireName(tool.name()))
              + "}";
    };
  }

  private void system() {
    List<HeadEncodings.SystemText> texts = head().systemTexts();
    if (texts.isEmpty()) {
      return;
    }
    put(",\"system\":[");
    for (int i = 0; i < texts.size(); i++) {
      systemBlock(texts.get(i), i, new MarkableBlocks.Place(true, -1, i));
    }
    put("]");
  }

  @Override
  Object state() {
    return new State(role, message, content);
  }

  @Override
  void goOn(Object state) {
    State stop = (State) state;
    role = stop.role;
    message = stop.message;
    content = stop.content;
  }

  private record State(@Nullable MessageRole role, int message, int content) {}

  @Override
  void message(Message from, int index) {
    for (Sent sent : sent(from, index)) {
      beforePart(index, sent.index());
      if (!sent.skipped()) {
        part(from.role(), sent.part());
      }
      afterPart(index, sent.index());
    }
  }

  private void part(MessageRole speaker, Part part) {
    EncodedPart encoded = search.get(part, this::encode);
    if (encoded == EncodedPart.NONE) {
      finding("opaque_invalid", "", "an opaque part that is no JSON object was left out");
      return;
    }
    enter(speaker);
    if (encoded.argumentsInvalid()) {
      finding(
          "arguments_invalid",
          "/messages/" + message + "/content/" + content,
          "the arguments are no JSON object");
    }
    block(kind(part), part, encoded, new MarkableBlocks.Place(markable(part), message, content++));
  }

  /** Goes on with the message of this speaker, or begins one: roles take turns (V03). */
  private void enter(MessageRole speaker) {
    if (role == speaker) {
      put(COMMA);
      return;
    }
    if (role != null) {
      put(END_MESSAGE);
    }
    put(speaker == MessageRole.USER ? USER : ASSISTANT);
    role = speaker;
    message++;
    content = 0;
  }

  private static MarkableBlocks.Kind kind(Part part) {
    return switch (part) {
      case Part.ToolCall _unused -> MarkableBlocks.Kind.CALL;
      case Part.ToolResult _unused -> MarkableBlocks.Kind.RESULT;
      case Part.Opaque opaque ->
          opaque.verbatim() && opaque.kind().equals("tool_use")
              ? MarkableBlocks.Kind.CALL
              : MarkableBlocks.Kind.OTHER;
      case Part.Text _unused -> MarkableBlocks.Kind.OTHER;
      case Part.Image _unused -> MarkableBlocks.Kind.OTHER;
      case Part.Document _unused -> MarkableBlocks.Kind.OTHER;
    };
  }

  private static boolean markable(Part part) {
    return !(part instanceof Part.Opaque opaque)
        || (opaque.verbatim() && MARKABLE.contains(opaque.kind()));
  }

  @Override
  boolean takes(Part.Opaque opaque) {
    return true;
  }

  @Override
  EncodedPart encode(Part part) {
    return switch (part) {
      case Part.Text text ->
          EncodedPart.of("{\"type\":\"text\",\"text\":" + EncodedPart.quoted(text.text()));
      case Part.Image image ->
          EncodedPart.of("{\"type\":\"image\"," + source(image.mediaType(), image.data().base64()));
      case Part.Document pdf ->
          EncodedPart.of("{\"type\":\"document\"," + source(pdf.mediaType(), pdf.data().base64()));
      case Part.ToolCall call -> call(call);
      case Part.ToolResult result -> result(result);
      case Part.Opaque opaque -> opaque(opaque);
    };
  }

  private static String source(String mediaType, String base64) {
    return "\"source\":{\"type\":\"base64\",\"media_type\":"
        + EncodedPart.quoted(mediaType)
        + ",\"data\":\""
        + base64
        + "\"}";
  }

  private static EncodedPart call(Part.ToolCall call) {
    String open =
        "{\"type\":\"tool_use\",\"id\":"
            + EncodedPart.quoted(callId(call))
            + ",\"name\":"
            + EncodedPart.quoted(ToolNames.wireName(call.name()))
            + ",\"input\":";
    if (call.arguments().isBlank()) {
      return EncodedPart.of(open + "{}");
    }
    if (JsonText.isObject(call.arguments())) {
      return EncodedPart.of(open + JsonText.minify(call.arguments()));
    }
    JsonString text = new JsonString(call.arguments());
    return EncodedPart.wrapped(open + JsonObject.of(ReplyParts.RAW_ARGUMENTS, text).toJson());
  }

  private EncodedPart result(Part.ToolResult result) {
    List<EncodedPart> parts = new ArrayList<>();
    for (Part part : result.content()) {
      if (!(part instanceof Part.Text text) || !text.text().isBlank()) {
        parts.add(search.get(part, this::encode));
      }
    }
    if (parts.isEmpty()) {
      parts.add(encode(new Part.Text("(empty)")));
    }
    return EncodedPart.array(
        "{\"type\":\"tool_result\",\"tool_use_id\":"
            + EncodedPart.quoted(callId(result))
            + ",\"content\":[",
        parts,
        result.isError() ? "}],\"is_error\":true" : "}]");
  }

  private static EncodedPart opaque(Part.Opaque opaque) {
    String raw = opaque.raw().strip();
    return JsonText.isObject(raw)
        ? EncodedPart.of(raw.substring(0, raw.length() - 1))
        : EncodedPart.NONE;
  }

  @Override
  String tool(String wireName, ToolDef tool) {
    return "{\"name\":"
        + EncodedPart.quoted(wireName)
        + (tool.description().isBlank()
            ? ""
            : ",\"description\":" + EncodedPart.quoted(tool.description()))
        + ",\"input_schema\":"
        + JsonText.minify(tool.schema())
        + "}";
  }

  @Override
  int slots() {
    CacheRules cache = profile.cache();
    return cache.mode() == CacheRules.Mode.EXPLICIT ? Math.min(MAX_MARKS, cache.maxMarks()) : 0;
  }

  @Override
  String defaultTtl() {
    return "5m";
  }

  @Override
  byte[] markedClose(String ttl) {
    return EncodedPart.bytes(
        ",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":" + EncodedPart.quoted(ttl) + "}}");
  }

  @Override
  String pointer(MarkableBlocks.Place place) {
    return place.message() < 0
        ? "/system/" + place.content()
        : "/messages/" + place.message() + "/content/" + place.content();
  }
}

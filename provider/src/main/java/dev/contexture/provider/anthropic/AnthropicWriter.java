package dev.contexture.provider.anthropic;

import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelProfiles;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.MarkableBlocks;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A body for {@code POST /v1/messages}. */
final class AnthropicWriter extends BodyWriter {
  private static final int MAX_MARKS = 4;
  private static final Set<String> MARKABLE = Set.of("text", "tool_use");

  private static final byte[] USER = EncodedPart.bytes("{\"role\":\"user\",\"content\":[");
  private static final byte[] ASSISTANT =
      EncodedPart.bytes("{\"role\":\"assistant\",\"content\":[");
  private static final byte[] END_MESSAGE = EncodedPart.bytes("]},");

  AnthropicWriter(
      WireFormat format, RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(format, input, profiles, before);
  }

  @Override
  protected void writeAll() {
    put("{\"model\":" + EncodedPart.quoted(input.model().model()));
    put(",\"max_tokens\":" + input.maxOutputTokens());
    asked(Set.of());
    if (!input.tools().isEmpty()) {
      put(",\"tools\":");
      tools();
      put(
          toolChoice(
              ",\"tool_choice\":{\"type\":\"any\"}",
              ",\"tool_choice\":{\"type\":\"none\"}",
              name -> ",\"tool_choice\":{\"type\":\"tool\",\"name\":" + name + "}"));
    }
    system(",\"system\":[", -1, true, "]");
    put(",\"messages\":[");
    messages(0);
    put(speaker == null ? "]" : "]}]");
    put(input.stream() ? ",\"stream\":true}" : "}");
  }

  @Override
  protected void message(Message from, int index) {
    for (Sent sent : sent(from, index)) {
      beforePart(index, sent.index());
      if (!sent.skipped()) {
        part(from.role(), sent.part());
      }
      afterPart(index, sent.index());
    }
  }

  private void part(MessageRole who, Part part) {
    EncodedPart encoded = search.get(part, this::encode);
    if (encoded == EncodedPart.NONE) {
      finding("opaque_invalid", "", "an opaque part that is no JSON object was left out");
      return;
    }
    enter(who, who == MessageRole.USER ? USER : ASSISTANT, END_MESSAGE);
    if (encoded.argumentsInvalid()) {
      finding(
          "arguments_invalid",
          "/messages/" + message + "/content/" + content,
          "the arguments are no JSON object");
    }
    block(kind(part), part, encoded, new MarkableBlocks.Place(markable(part), message, content++));
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
  protected EncodedPart encode(Part part) {
    return switch (part) {
      case Part.Text text ->
          EncodedPart.of("{\"type\":\"text\",\"text\":" + EncodedPart.quoted(text.text()));
      case Part.Image image ->
          EncodedPart.of("{\"type\":\"image\"," + source(image.mediaType(), image.data().base64()));
      case Part.Document pdf ->
          EncodedPart.of("{\"type\":\"document\"," + source(pdf.mediaType(), pdf.data().base64()));
      case Part.ToolCall call -> call(call);
      case Part.ToolResult result -> result(result);
      case Part.Opaque opaque -> EncodedPart.verbatim(opaque);
    };
  }

  private static String source(String mediaType, String base64) {
    return "\"source\":{\"type\":\"base64\",\"media_type\":"
        + EncodedPart.quoted(mediaType)
        + ",\"data\":\""
        + base64
        + "\"}";
  }

  private EncodedPart call(Part.ToolCall call) {
    String open =
        "{\"type\":\"tool_use\",\"id\":"
            + EncodedPart.quoted(EncodedPart.callId(call))
            + ",\"name\":"
            + EncodedPart.quoted(wireName(call.name()))
            + ",\"input\":";
    return EncodedPart.call(open, call, "");
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
            + EncodedPart.quoted(EncodedPart.callId(result))
            + ",\"content\":[",
        parts,
        result.isError() ? "}],\"is_error\":true" : "}]");
  }

  @Override
  protected String tool(String wireName, ToolDef tool) {
    return "{" + EncodedPart.definition(wireName, tool, ",\"input_schema\":") + "}";
  }

  @Override
  protected int slots() {
    CacheRules cache = profile.cache();
    return cache.mode() == CacheRules.Mode.EXPLICIT ? Math.min(MAX_MARKS, cache.maxMarks()) : 0;
  }

  @Override
  protected byte[] markedClose(String ttl) {
    return EncodedPart.bytes(
        ",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":" + EncodedPart.quoted(ttl) + "}}");
  }
}

package dev.contexture.provider.fifth;

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
import java.util.stream.Collectors;

/** A body of the provider that does not exist. */
final class NoviceWriter extends BodyWriter {
  private static final byte[] HUMAN = EncodedPart.bytes("{\"by\":\"human\",\"said\":[");
  private static final byte[] MACHINE = EncodedPart.bytes("{\"by\":\"machine\",\"said\":[");
  private static final byte[] END = EncodedPart.bytes("]},");

  NoviceWriter(
      WireFormat format, RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(format, input, profiles, before);
  }

  @Override
  protected void writeAll() {
    put("{\"engine\":" + EncodedPart.quoted(input.model().model()));
    put(",\"most\":" + input.maxOutputTokens());
    put(",\"tools\":");
    tools();
    system(",\"rules\":[", -1, false, "]");
    put(",\"talk\":[");
    messages(0);
    put(speaker == null ? "]}" : "]}]}");
  }

  @Override
  protected void message(Message from, int index) {
    for (Sent sent : sent(from, index)) {
      beforePart(index, sent.index());
      if (!sent.skipped()) {
        enter(from.role(), from.role() == MessageRole.USER ? HUMAN : MACHINE, END);
        MarkableBlocks.Place place = new MarkableBlocks.Place(false, message, content++);
        block(kind(sent.part()), sent.part(), search.get(sent.part(), this::encode), place);
      }
      afterPart(index, sent.index());
    }
  }

  private static MarkableBlocks.Kind kind(Part part) {
    return part instanceof Part.ToolCall
        ? MarkableBlocks.Kind.CALL
        : part instanceof Part.ToolResult ? MarkableBlocks.Kind.RESULT : MarkableBlocks.Kind.OTHER;
  }

  @Override
  protected EncodedPart encode(Part part) {
    return switch (part) {
      case Part.Text text -> EncodedPart.of("{\"words\":" + EncodedPart.quoted(text.text()));
      case Part.ToolCall call ->
          EncodedPart.call(
              "{\"ask\":"
                  + EncodedPart.quoted(wireName(call.name()))
                  + ",\"ticket\":"
                  + EncodedPart.quoted(EncodedPart.callId(call))
                  + ",\"with\":",
              call,
              "");
      case Part.ToolResult result ->
          EncodedPart.of(
              "{\"reply\":"
                  + EncodedPart.quoted(text(result))
                  + ",\"ticket\":"
                  + EncodedPart.quoted(EncodedPart.callId(result)));
      case Part.Opaque opaque -> EncodedPart.verbatim(opaque);
      case Part.Image _unused -> EncodedPart.of("{\"words\":\"[picture]\"");
      case Part.Document _unused -> EncodedPart.of("{\"words\":\"[document]\"");
    };
  }

  private static String text(Part.ToolResult result) {
    return result.content().stream()
        .map(part -> part instanceof Part.Text text ? text.text() : "[media]")
        .collect(Collectors.joining("\n"));
  }

  @Override
  protected String tool(String wireName, ToolDef tool) {
    return "{" + EncodedPart.definition(wireName, tool, ",\"takes\":") + "}";
  }
}

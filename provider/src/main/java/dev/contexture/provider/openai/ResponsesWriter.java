package dev.contexture.provider.openai;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfiles;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.MarkableBlocks;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A body for {@code POST /v1/responses}: the whole history as items, nothing kept there. */
final class ResponsesWriter extends OpenAiWriter {
  private static final byte[] USER =
      EncodedPart.bytes("{\"type\":\"message\",\"role\":\"user\",\"content\":[");
  private static final String DEVELOPER =
      "{\"type\":\"message\",\"role\":\"developer\",\"content\":[";
  private static final byte[] END_ITEM = EncodedPart.bytes("]}");
  private static final int WHOLE = -1; // the content index of a block that is a whole item

  private final ResponsesEncoder encoder = new ResponsesEncoder(search);
  private final List<Sent> held = new ArrayList<>(); // reasoning that waits for what it led to

  ResponsesWriter(
      WireFormat format, RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(format, input, profiles, before);
  }

  @Override
  protected void writeAll() {
    put("{\"model\":" + EncodedPart.quoted(input.model().model()));
    put(",\"max_output_tokens\":" + input.maxOutputTokens());
    cacheSettings((asked.has("store") ? "" : ",\"store\":false") + ",\"include\":" + include());
    asked(Set.of("include"));
    if (!input.tools().isEmpty()) {
      put(",\"tools\":");
      tools();
      choice(name -> "{\"type\":\"function\",\"name\":" + name + "}");
    }
    put(",\"input\":[");
    if (system(DEVELOPER, 0, true, "]}")) {
      message++;
    }
    messages(0);
    put(input.stream() ? "],\"stream\":true}" : "]}");
    waiveCoveredTail();
  }

  /** What the engine needs in answers, and what the caller wants there. */
  private String include() {
    Set<JsonValue> wanted = new LinkedHashSet<>();
    wanted.add(JsonValue.of("reasoning.encrypted_content"));
    asked.array("include").ifPresent(more -> wanted.addAll(more.items()));
    return new JsonArray(List.copyOf(wanted)).toJson();
  }

  /** An item per part. Reasoning goes only together with what it led to. */
  @Override
  protected void assistant(Message from, int index) {
    for (Sent sent : sent(from, index)) {
      beforePart(index, sent.index());
      if (!sent.skipped()) {
        if (isReasoning(sent.part())) {
          held.add(sent);
        } else {
          for (Sent reasoning : held) {
            comesFrom(index, reasoning.index());
            item(reasoning.part(), MarkableBlocks.Kind.OTHER);
          }
          held.clear();
          comesFrom(index, sent.index());
          item(
              sent.part(),
              isCall(sent.part()) ? MarkableBlocks.Kind.CALL : MarkableBlocks.Kind.OTHER);
        }
      }
      afterPart(index, sent.index());
    }
    if (!held.isEmpty()) {
      finding("reasoning_pair", "", held.size() + " reasoning items that led to nothing");
      held.clear();
    }
  }

  private static boolean isReasoning(Part part) {
    return part instanceof Part.Opaque opaque && opaque.kind().equals(ResponsesEncoder.REASONING);
  }

  private static boolean isCall(Part part) {
    return part instanceof Part.ToolCall
        || (part instanceof Part.Opaque opaque && opaque.kind().equals(ResponsesEncoder.CALL));
  }

  private void item(Part part, MarkableBlocks.Kind kind) {
    EncodedPart encoded =
        part instanceof Part.Text
            ? search.get(part, ResponsesEncoder::said)
            : search.get(part, this::encode);
    if (encoded == EncodedPart.NONE) {
      finding("opaque_invalid", "", "an opaque part that is no item was left out");
      return;
    }
    begin();
    block(kind, part, encoded, new MarkableBlocks.Place(false, message, WHOLE));
    message++;
  }

  private void begin() {
    if (message > 0) {
      put(COMMA);
    }
  }

  /** An item per result, then one for everything else. */
  @Override
  protected void user(Message from, int index) {
    List<Sent> rest = new ArrayList<>();
    for (Sent sent : sent(from, index)) {
      if (sent.part() instanceof Part.ToolResult result) {
        beforePart(index, sent.index());
        result(result);
        afterPart(index, sent.index());
      } else {
        rest.add(sent);
      }
    }
    int count = 0;
    for (Sent sent : rest) {
      beforePart(index, sent.index());
      if (!sent.skipped()) {
        userPart(sent.part(), count++);
      }
      afterPart(index, sent.index());
    }
    if (count > 0) {
      put(END_ITEM);
      message++;
    }
  }

  private void userPart(Part part, int index) {
    if (index == 0) {
      begin();
      put(USER);
    } else {
      put(COMMA);
    }
    EncodedPart encoded = search.get(part, this::encode);
    block(MarkableBlocks.Kind.OTHER, part, encoded, new MarkableBlocks.Place(true, message, index));
  }

  private void result(Part.ToolResult result) {
    begin();
    EncodedPart encoded = search.get(result, this::encode);
    MarkableBlocks.Place place =
        new MarkableBlocks.Place(true, message, ResponsesEncoder.lastPart(result));
    block(MarkableBlocks.Kind.RESULT, result, encoded, place);
    put(END_ITEM);
    message++;
  }

  @Override
  protected EncodedPart encode(Part part) {
    return encoder.encode(part);
  }

  @Override
  protected String tool(String wireName, ToolDef tool) {
    String schema = ",\"strict\":false,\"parameters\":";
    return "{\"type\":\"function\"," + EncodedPart.definition(wireName, tool, schema) + "}";
  }

  @Override
  protected String pointer(MarkableBlocks.Place place, RequestBlock block) {
    if (place.content() == WHOLE) {
      return "/input/" + place.message();
    }
    String list = block.kind().equals("tool_result") ? "/output/" : "/content/";
    return "/input/" + place.message() + list + place.content();
  }
}

package dev.contexture.provider.request;

import dev.contexture.json.JsonText;
import dev.contexture.model.ModelProfiles;
import dev.contexture.render.Message;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** A body for {@code POST /v1/responses}: the whole history as items, nothing kept there (P-7). */
final class ResponsesBody extends OpenAiBody {
  /** Kinds of opaque parts that only Chat Completions makes and takes. */
  private static final Set<String> CHAT_KINDS =
      Set.of("content", "function", "custom", "refusal", "reasoning_content", "audio");

  private static final byte[] USER =
      EncodedPart.bytes("{\"type\":\"message\",\"role\":\"user\",\"content\":[");
  private static final byte[] DEVELOPER =
      EncodedPart.bytes("{\"type\":\"message\",\"role\":\"developer\",\"content\":[");
  private static final byte[] END_ITEM = EncodedPart.bytes("]}");
  private static final int WHOLE = -1; // the content index of a block that is a whole item

  private final ResponsesEncoder encoder = new ResponsesEncoder(search);
  private final BitSet outputs = new BitSet(); // which items are results
  private final List<Sent> held = new ArrayList<>(); // reasoning that waits for what it led to
  private int item;

  ResponsesBody(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(input, profiles, before);
  }

  @Override
  void writeAll() {
    put("{\"model\":" + EncodedPart.quoted(input.model().model()));
    put(",\"max_output_tokens\":" + input.maxOutputTokens());
    cacheSettings(",\"store\":false,\"include\":[\"reasoning.encrypted_content\"]");
    if (!input.tools().isEmpty()) {
      put(",\"tools\":");
      tools();
      put(toolChoice());
    }
    put(",\"input\":[");
    system();
    messages(0);
    put(input.stream() ? "],\"stream\":true}" : "]}");
    waiveCoveredTail();
  }

  @Override
  Object state() {
    return new State(item, outputs);
  }

  @Override
  void goOn(Object state) {
    State stop = (State) state;
    item = stop.item;
    outputs.or(stop.outputs.get(0, item));
  }

  @Override
  Object renewed(Object state) {
    return new State(((State) state).item, outputs);
  }

  /** The results among the items are shared: those before the item do not change any more. */
  private record State(int item, BitSet outputs) {}

  private String toolChoice() {
    return switch (input.toolChoice()) {
      case ToolChoice.Mode mode ->
          switch (mode) {
            case AUTO -> "";
            case REQUIRED -> ",\"tool_choice\":\"required\"";
            case NONE -> ",\"tool_choice\":\"none\"";
          };
      case ToolChoice.Tool tool ->
          ",\"tool_choice\":{\"type\":\"function\",\"name\":"
              + EncodedPart.quoted(ToolNames.wireName(tool.name()))
              + "}";
    };
  }

  private void system() {
    List<HeadEncodings.SystemText> texts = head().systemTexts();
    if (texts.isEmpty()) {
      return;
    }
    put(DEVELOPER);
    for (int i = 0; i < texts.size(); i++) {
      systemBlock(texts.get(i), i, new MarkableBlocks.Place(true, item, i));
    }
    put(END_ITEM);
    item++;
  }

  /** An item per part. Reasoning goes only together with what it led to (V17). */
  @Override
  void assistant(Message from, int index) {
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
    block(kind, part, encoded, new MarkableBlocks.Place(false, item, WHOLE));
    item++;
  }

  private void begin() {
    if (item > 0) {
      put(COMMA);
    }
  }

  /** An item per result, then one for everything else. */
  @Override
  void user(Message from, int index) {
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
      item++;
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
    block(MarkableBlocks.Kind.OTHER, part, encoded, new MarkableBlocks.Place(true, item, index));
  }

  private void result(Part.ToolResult result) {
    begin();
    EncodedPart encoded = search.get(result, this::encode);
    outputs.set(item);
    MarkableBlocks.Place place =
        new MarkableBlocks.Place(true, item, ResponsesEncoder.lastPart(result));
    block(MarkableBlocks.Kind.RESULT, result, encoded, place);
    put(END_ITEM);
    item++;
  }

  /** Items of this interface. A call that is no verbatim form is a member of a chat message. */
  @Override
  boolean takes(Part.Opaque opaque) {
    return !CHAT_KINDS.contains(opaque.kind())
        && (opaque.verbatim() || !opaque.kind().equals(ResponsesEncoder.CALL));
  }

  @Override
  EncodedPart encode(Part part) {
    return encoder.encode(part);
  }

  @Override
  String tool(String wireName, ToolDef tool) {
    return "{\"type\":\"function\",\"name\":"
        + EncodedPart.quoted(wireName)
        + (tool.description().isBlank()
            ? ""
            : ",\"description\":" + EncodedPart.quoted(tool.description()))
        + ",\"strict\":false,\"parameters\":"
        + JsonText.minify(tool.schema())
        + "}";
  }

  @Override
  String pointer(MarkableBlocks.Place place) {
    String where = "/input/" + place.message();
    if (place.content() == WHOLE) {
      return where;
    }
    return where + (outputs.get(place.message()) ? "/output/" : "/content/") + place.content();
  }
}

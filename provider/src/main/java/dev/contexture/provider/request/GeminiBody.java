package dev.contexture.provider.request;

import dev.contexture.json.JsonText;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfiles;
import dev.contexture.render.Message;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A body for {@code models/{m}:generateContent}. The model is part of the address and streaming is
 * an address of its own, so neither is in the body; there are no cache marks (P-35).
 */
final class GeminiBody extends BodyWriter {
  private static final byte[] USER = EncodedPart.bytes("{\"role\":\"user\",\"parts\":[");
  private static final byte[] MODEL = EncodedPart.bytes("{\"role\":\"model\",\"parts\":[");
  private static final byte[] END_CONTENT = EncodedPart.bytes("]},");
  private static final byte[] CALL = EncodedPart.bytes("{\"functionCall\":{");
  private static final byte[] RESULT = EncodedPart.bytes("{\"functionResponse\":{");

  /** How a call was sent, for its result: they pair by id, or by order and name (P-9). */
  private record Called(String name, @Nullable String id) {}

  private final GeminiEncoder encoder = new GeminiEncoder(search);
  private final Map<String, Called> calls = new HashMap<>();
  private final List<Map.Entry<String, Called>> made = new ArrayList<>(); // the same, in order
  private @Nullable MessageRole role; // of the content that is being written
  private int content = -1;
  private int part;

  GeminiBody(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(input, profiles, before);
  }

  @Override
  void writeAll() {
    put("{");
    CachePolicy.GeminiCache cache = input.cache().explicit();
    int from = cache == null ? 0 : uncovered(cache);
    if (cache != null && from > 0) {
      put("\"cachedContent\":" + EncodedPart.quoted(cache.name()) + ",");
    } else {
      systemAndTools();
    }
    put("\"contents\":[");
    messages(from);
    put(role == null ? "]" : "]}]");
    put(",\"generationConfig\":{\"maxOutputTokens\":" + input.maxOutputTokens() + "}}");
  }

  private void systemAndTools() {
    system();
    if (!input.tools().isEmpty()) {
      put("\"tools\":[{\"functionDeclarations\":");
      tools();
      put("}]," + toolChoice());
    }
  }

  /**
   * The first message that a cache does not hold; 0 if the cache cannot be used: the model takes
   * none, or it ends inside a message, between a call and its result, or with the conversation.
   */
  private int uncovered(CachePolicy.GeminiCache cache) {
    if (!profile.has(ModelFlag.EXPLICIT_CACHE)) {
      finding("explicit_cache", "", profile.id() + " takes no cache that was made before");
      return 0;
    }
    RequestInput plain = input.toBuilder().cache(input.cache().withExplicit(null)).build();
    List<RequestBlock> all = new GeminiBody(plain, profiles, EncodingCache.EMPTY).write().blocks();
    int covered = cache.coversBlocks();
    boolean inside = covered > 0 && covered < all.size() && all.get(covered).message() > 0;
    int first = inside ? all.get(covered).message() : 0;
    boolean ends = inside && all.get(covered - 1).message() < first && !answers(first);
    finding(
        "explicit_cache",
        "",
        ends
            ? cache.name() + " holds " + covered + " blocks, paid by the hour"
            : cache.name() + " is not used: it does not end between two messages of this request");
    return ends ? first : 0;
  }

  private boolean answers(int message) {
    return input.messages().get(message).parts().stream()
        .anyMatch(part -> part instanceof Part.ToolResult);
  }

  private String toolChoice() {
    String mode =
        switch (input.toolChoice()) {
          case ToolChoice.Mode any ->
              switch (any) {
                case AUTO -> "";
                case REQUIRED -> "\"mode\":\"ANY\"";
                case NONE -> "\"mode\":\"NONE\"";
              };
          case ToolChoice.Tool tool ->
              "\"mode\":\"ANY\",\"allowedFunctionNames\":["
                  + EncodedPart.quoted(wireName(tool.name()))
                  + "]";
        };
    return mode.isEmpty() ? "" : "\"toolConfig\":{\"functionCallingConfig\":{" + mode + "}},";
  }

  private void system() {
    List<HeadEncodings.SystemText> texts = head().systemTexts();
    if (texts.isEmpty()) {
      return;
    }
    put("\"systemInstruction\":{\"parts\":[");
    for (int i = 0; i < texts.size(); i++) {
      systemBlock(texts.get(i), i, new MarkableBlocks.Place(false, -1, i));
    }
    put("]},");
  }

  @Override
  Object state() {
    return new State(role, content, part, made, made.size());
  }

  @Override
  void goOn(Object state) {
    State stop = (State) state;
    role = stop.role;
    content = stop.content;
    part = stop.part;
    stop.made.subList(0, stop.calls).forEach(this::called);
  }

  /** The calls are shared: only the first of them had been made. */
  private record State(
      @Nullable MessageRole role,
      int content,
      int part,
      List<Map.Entry<String, Called>> made,
      int calls) {}

  @Override
  Object renewed(Object state) {
    State stop = (State) state;
    return new State(stop.role, stop.content, stop.part, made, stop.calls);
  }

  private void called(Map.Entry<String, Called> call) {
    made.add(call);
    calls.put(call.getKey(), call.getValue());
  }

  /** Results come first, then the media that they have no place for, then everything else. */
  @Override
  void message(Message from, int index) {
    List<Sent> rest = new ArrayList<>();
    List<Sent> hoisted = new ArrayList<>();
    for (Sent sent : sent(from, index)) {
      if (sent.part() instanceof Part.ToolResult result) {
        beforePart(index, sent.index());
        result(result, sent.index(), hoisted);
        afterPart(index, sent.index());
      } else {
        rest.add(sent);
      }
    }
    for (Sent media : hoisted) {
      comesFrom(index, media.index());
      part(from.role(), media.part());
    }
    for (Sent sent : rest) {
      beforePart(index, sent.index());
      if (!sent.skipped()) {
        sent(from, sent);
      }
      afterPart(index, sent.index());
    }
  }

  private void sent(Message from, Sent sent) {
    Part neutral = from.parts().get(sent.index());
    if (neutral instanceof Part.ToolCall call) {
      boolean verbatim = sent.part() instanceof Part.Opaque;
      String id = verbatim ? call.providerId().orElse(null) : sentId(callId(call));
      called(Map.entry(callId(call), new Called(wireName(call.name()), id)));
      if (!verbatim) {
        call(from.role(), call, id);
        return;
      }
    }
    part(from.role(), sent.part());
  }

  private @Nullable String sentId(String id) {
    return profile.has(ModelFlag.FUNCTION_CALL_IDS) ? id : null;
  }

  private void call(MessageRole speaker, Part.ToolCall call, @Nullable String id) {
    EncodedPart encoded = search.get(call, this::encode);
    enter(speaker);
    if (encoded.argumentsInvalid()) {
      finding(
          "arguments_invalid",
          "/contents/" + content + "/parts/" + part,
          "the arguments are no JSON object");
    }
    int own = here();
    put(CALL);
    putId(id);
    put(encoded.open());
    blockFrom(
        own, MarkableBlocks.Kind.CALL, call, new MarkableBlocks.Place(false, content, part++));
  }

  private void putId(@Nullable String id) {
    if (id != null) {
      put("\"id\":" + EncodedPart.quoted(id) + ",");
    }
  }

  private void result(Part.ToolResult result, int index, List<Sent> hoisted) {
    Called call = calls.getOrDefault(callId(result), new Called("unknown", sentId(callId(result))));
    boolean holdsMedia =
        profile.has(ModelFlag.FUNCTION_RESPONSE_MEDIA) && GeminiEncoder.hasMedia(result);
    enter(MessageRole.USER);
    int own = here();
    put(RESULT);
    putId(call.id);
    put("\"name\":" + EncodedPart.quoted(call.name) + ",\"response\":");
    if (holdsMedia) {
      put(GeminiEncoder.response(result, false).open());
      put(encoder.mediaOf(result));
    } else {
      put(search.get(result, encoder::response).open());
      MediaPlacement.hoist(result, index, callId(result), hoisted);
    }
    put(CLOSE);
    blockFrom(
        own, MarkableBlocks.Kind.RESULT, result, new MarkableBlocks.Place(false, content, part++));
  }

  private void part(MessageRole speaker, Part sent) {
    EncodedPart encoded = search.get(sent, this::encode);
    if (encoded == EncodedPart.NONE) {
      finding("opaque_invalid", "", "an opaque part that is no JSON object was left out");
      return;
    }
    enter(speaker);
    MarkableBlocks.Kind kind =
        sent instanceof Part.Opaque opaque && opaque.kind().equals(GeminiEncoder.CALL)
            ? MarkableBlocks.Kind.CALL
            : MarkableBlocks.Kind.OTHER;
    block(kind, sent, encoded, new MarkableBlocks.Place(false, content, part++));
  }

  /** Goes on with the content of this speaker, or begins one: roles take turns (V03). */
  private void enter(MessageRole speaker) {
    if (role == speaker) {
      put(COMMA);
      return;
    }
    if (role != null) {
      put(END_CONTENT);
    }
    put(speaker == MessageRole.USER ? USER : MODEL);
    role = speaker;
    content++;
    part = 0;
  }

  @Override
  boolean takes(Part.Opaque opaque) {
    return true;
  }

  @Override
  EncodedPart encode(Part part) {
    return encoder.encode(part);
  }

  @Override
  String wireName(String tool) {
    return ToolNames.geminiName(tool);
  }

  @Override
  String tool(String wireName, ToolDef tool) {
    return "{\"name\":"
        + EncodedPart.quoted(wireName)
        + (tool.description().isBlank()
            ? ""
            : ",\"description\":" + EncodedPart.quoted(tool.description()))
        + ",\"parametersJsonSchema\":"
        + JsonText.minify(tool.schema())
        + "}";
  }

  @Override
  int slots() {
    return 0;
  }

  @Override
  String defaultTtl() {
    throw new IllegalStateException("this format has no marks");
  }

  @Override
  byte[] markedClose(String ttl) {
    throw new IllegalStateException("this format has no marks");
  }

  @Override
  String pointer(MarkableBlocks.Place place) {
    return place.message() < 0
        ? "/systemInstruction/parts/" + place.content()
        : "/contents/" + place.message() + "/parts/" + place.content();
  }
}

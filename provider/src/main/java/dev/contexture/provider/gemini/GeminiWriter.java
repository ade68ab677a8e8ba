package dev.contexture.provider.gemini;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfiles;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.MarkableBlocks;
import dev.contexture.provider.wire.MediaPlacement;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A body for {@code models/{m}:generateContent}. The model is part of the address and streaming is
 * an address of its own, so neither is in the body; there are no cache marks.
 */
final class GeminiWriter extends BodyWriter {
  private static final byte[] USER = EncodedPart.bytes("{\"role\":\"user\",\"parts\":[");
  private static final byte[] MODEL = EncodedPart.bytes("{\"role\":\"model\",\"parts\":[");
  private static final byte[] END_CONTENT = EncodedPart.bytes("]},");
  private static final byte[] CALL = EncodedPart.bytes("{\"functionCall\":{");
  private static final byte[] RESULT = EncodedPart.bytes("{\"functionResponse\":{");

  /** The form in which a call was sent, for its result: they pair by id, or by order and name. */
  private record Called(String name, @Nullable String id) {}

  private final GeminiEncoder encoder = new GeminiEncoder(search);
  private final Map<String, Called> calls = new HashMap<>();

  GeminiWriter(
      WireFormat format, RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(format, input, profiles, before);
  }

  @Override
  protected void writeAll() {
    put("{");
    CachePolicy.HostCache cache = input.cache().explicit();
    int from = cache == null ? 0 : uncovered(cache);
    if (cache != null && from > 0) {
      put("\"cachedContent\":" + EncodedPart.quoted(cache.name()) + ",");
    } else {
      systemAndTools();
    }
    put("\"contents\":[");
    messages(from);
    put(speaker == null ? "]" : "]}]");
    JsonObject config =
        JsonObject.builder()
            .put("maxOutputTokens", input.maxOutputTokens())
            .putAll(asked.object(GeminiFormat.CONFIG).orElse(JsonObject.EMPTY))
            .build();
    put(",\"" + GeminiFormat.CONFIG + "\":" + config.toJson());
    asked(Set.of(GeminiFormat.CONFIG));
    put("}");
  }

  private void systemAndTools() {
    system("\"systemInstruction\":{\"parts\":[", -1, false, "]},");
    if (!input.tools().isEmpty()) {
      int functions = functions();
      put("\"tools\":[");
      if (functions > 0) {
        put("{\"functionDeclarations\":[");
        tools(0, functions);
        put(functions < input.tools().size() ? "]}," : "]}");
      }
      tools(functions, input.tools().size());
      put("]," + toolChoice());
    }
  }

  /**
   * The first message that a cache does not hold; 0 if the cache cannot be used: the model takes
   * none, or it ends inside a message, between a call and its result, or with the conversation.
   */
  private int uncovered(CachePolicy.HostCache cache) {
    if (!profile.has(ModelFlag.EXPLICIT_CACHE)) {
      finding("explicit_cache", "", profile.id() + " takes no cache that was made before");
      return 0;
    }
    RequestInput plain = input.toBuilder().cache(input.cache().withExplicit(null)).build();
    List<RequestBlock> all = BodyWriter.series(format, profiles).write(plain).blocks();
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
        toolChoice(
            "\"mode\":\"ANY\"",
            "\"mode\":\"NONE\"",
            name -> "\"mode\":\"ANY\",\"allowedFunctionNames\":[" + name + "]");
    return mode.isEmpty() ? "" : "\"toolConfig\":{\"functionCallingConfig\":{" + mode + "}},";
  }

  @Override
  protected void takenOver(int messages) {
    for (Message taken : input.messages().subList(0, messages)) {
      for (int i = 0; i < taken.parts().size(); i++) {
        if (taken.parts().get(i) instanceof Part.ToolCall call) {
          called(call, i > 0 && standsForNext(taken.parts().get(i - 1)));
        }
      }
    }
  }

  /** Keeps how a call is sent; returns its id. */
  private @Nullable String called(Part.ToolCall call, boolean verbatim) {
    String own = EncodedPart.callId(call);
    String id = verbatim ? call.providerId().orElse(null) : sentId(own);
    calls.put(own, new Called(wireName(call.name()), id));
    return id;
  }

  /** Results come first, then the media that they have no place for, then everything else. */
  @Override
  protected void message(Message from, int index) {
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
      String id = called(call, verbatim);
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
          "/contents/" + message + "/parts/" + content,
          "the arguments are no JSON object");
    }
    int own = here();
    put(CALL);
    putId(id);
    put(encoded.open());
    blockFrom(
        own, MarkableBlocks.Kind.CALL, call, new MarkableBlocks.Place(false, message, content++));
  }

  private void putId(@Nullable String id) {
    if (id != null) {
      put("\"id\":" + EncodedPart.quoted(id) + ",");
    }
  }

  private void result(Part.ToolResult result, int index, List<Sent> hoisted) {
    Called call =
        calls.getOrDefault(
            EncodedPart.callId(result), new Called("unknown", sentId(EncodedPart.callId(result))));
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
      MediaPlacement.hoist(result, index, EncodedPart.callId(result), hoisted);
    }
    put(CLOSE);
    blockFrom(
        own,
        MarkableBlocks.Kind.RESULT,
        result,
        new MarkableBlocks.Place(false, message, content++));
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
    block(kind, sent, encoded, new MarkableBlocks.Place(false, message, content++));
  }

  private void enter(MessageRole who) {
    enter(who, who == MessageRole.USER ? USER : MODEL, END_CONTENT);
  }

  @Override
  protected EncodedPart encode(Part part) {
    return encoder.encode(part);
  }

  @Override
  protected String tool(String wireName, ToolDef tool) {
    return "{" + EncodedPart.definition(wireName, tool, ",\"parametersJsonSchema\":") + "}";
  }
}

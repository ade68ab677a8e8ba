package dev.contexture.provider.openai;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfiles;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.MarkableBlocks;
import dev.contexture.provider.wire.MediaPlacement;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A body for {@code POST /v1/chat/completions}. */
final class ChatWriter extends OpenAiWriter {
  private static final String REASONING = "reasoning_content";
  private static final String STREAM_OPTIONS = "stream_options";

  private static final byte[] ASSISTANT = EncodedPart.bytes("{\"role\":\"assistant\"");
  private static final byte[] USER = EncodedPart.bytes("{\"role\":\"user\",\"content\":[");
  private static final byte[] CONTENT = EncodedPart.bytes(",\"content\":[");
  private static final byte[] CALLS = EncodedPart.bytes(",\"tool_calls\":[");
  private static final byte[] END = EncodedPart.bytes("]");
  private static final byte[] END_MESSAGE = EncodedPart.bytes("]}");

  private final ChatEncoder encoder = new ChatEncoder(search);

  ChatWriter(WireFormat format, RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(format, input, profiles, before);
  }

  @Override
  protected void writeAll() {
    put("{\"model\":" + EncodedPart.quoted(input.model().model()));
    put(",\"" + (compat() ? "max_tokens" : "max_completion_tokens") + "\":");
    put(String.valueOf(input.maxOutputTokens()));
    if (profile.has(ModelFlag.CHAT_TOOLS_NEED_NO_EFFORT)
        && !input.tools().isEmpty()
        && !asked.has(ChatFormat.EFFORT)) {
      put(",\"reasoning_effort\":\"none\"");
    }
    cacheSettings(isOpenAi() && !asked.has("store") ? ",\"store\":false" : "");
    asked(input.stream() ? Set.of(STREAM_OPTIONS) : Set.of());
    if (!input.tools().isEmpty()) {
      put(",\"tools\":");
      tools();
      choice(name -> "{\"type\":\"function\",\"function\":{\"name\":" + name + "}}");
    }
    put(",\"messages\":[");
    system();
    messages(0);
    put("]");
    put(input.stream() ? ",\"stream\":true" + streamOptions() + "}" : "}");
    waiveCoveredTail();
  }

  private String streamOptions() {
    JsonObject own = JsonObject.builder().put("include_usage", true).build();
    JsonObject all =
        own.toBuilder().putAll(asked.object(STREAM_OPTIONS).orElse(JsonObject.EMPTY)).build();
    return ",\"" + STREAM_OPTIONS + "\":" + all.toJson();
  }

  private void system() {
    boolean legacy = compat() || profile.has(ModelFlag.LEGACY_SYSTEM_ROLE);
    String role = legacy ? "system" : "developer";
    if (system("{\"role\":\"" + role + "\",\"content\":[", 0, true, "]}")) {
      message++;
    }
  }

  private void begin(byte[] role) {
    if (message > 0) {
      put(COMMA);
    }
    put(role);
  }

  /** Texts first, then calls; what the wire has no place for is left out. */
  @Override
  protected void assistant(Message from, int index) {
    List<Sent> texts = new ArrayList<>();
    List<Sent> calls = new ArrayList<>();
    List<Part> reasoning = new ArrayList<>();
    for (Sent sent : sent(from, index)) {
      Part part = sent.part();
      boolean isReasoning = part instanceof Part.Opaque opaque && opaque.kind().equals(REASONING);
      if (isReasoning && !sent.skipped()) {
        reasoning.add(part);
      }
      boolean isCall =
          part instanceof Part.ToolCall
              || (part instanceof Part.Opaque opaque && opaque.kind().equals(ChatEncoder.FUNCTION));
      (isCall ? calls : texts).add(isReasoning ? new Sent(part, sent.index(), true) : sent);
    }
    if (calls.stream().allMatch(Sent::skipped) && texts.stream().allMatch(Sent::skipped)) {
      skip(texts, calls, index);
      return;
    }
    begin(ASSISTANT);
    reasoning(reasoning, calls.stream().anyMatch(sent -> !sent.skipped()));
    array(CONTENT, texts, MarkableBlocks.Kind.OTHER, index);
    array(CALLS, calls, MarkableBlocks.Kind.CALL, index);
    put(CLOSE);
    message++;
  }

  private void skip(List<Sent> texts, List<Sent> calls, int index) {
    for (List<Sent> some : List.of(texts, calls)) {
      for (Sent sent : some) {
        beforePart(index, sent.index());
        afterPart(index, sent.index());
      }
    }
  }

  /**
   * Reasoning of answers that became one message is one text again. A model that wants it back
   * wants at least an empty one with calls.
   */
  private void reasoning(List<Part> parts, boolean withCalls) {
    StringBuilder joined = new StringBuilder();
    for (Part part : parts) {
      String value = search.get(part, this::encode).text();
      if (value.length() > 1 && value.startsWith("\"")) {
        joined.append(value, 1, value.length() - 1);
      }
    }
    if (!joined.isEmpty() || (withCalls && profile.has(ModelFlag.REASONING_CONTENT))) {
      put(",\"" + REASONING + "\":\"" + joined + "\"");
    }
  }

  private void array(byte[] name, List<Sent> parts, MarkableBlocks.Kind kind, int index) {
    int count = 0;
    for (Sent sent : parts) {
      beforePart(index, sent.index());
      EncodedPart encoded =
          sent.skipped() ? EncodedPart.NONE : search.get(sent.part(), this::encode);
      if (encoded != EncodedPart.NONE) {
        put(count == 0 ? name : COMMA);
        block(kind, sent.part(), encoded, new MarkableBlocks.Place(false, message, count++));
      }
      afterPart(index, sent.index());
    }
    if (count > 0) {
      put(END);
    }
  }

  /** A message per result, then one for everything else and the media of the results. */
  @Override
  protected void user(Message from, int index) {
    List<Sent> rest = new ArrayList<>();
    List<Sent> hoisted = new ArrayList<>();
    for (Sent sent : sent(from, index)) {
      if (sent.part() instanceof Part.ToolResult result) {
        beforePart(index, sent.index());
        result(result);
        MediaPlacement.hoist(result, sent.index(), EncodedPart.callId(result), hoisted);
        afterPart(index, sent.index());
      } else {
        rest.add(sent);
      }
    }
    int count = 0;
    for (Sent media : hoisted) {
      comesFrom(index, media.index());
      userPart(media.part(), count++);
    }
    for (Sent sent : rest) {
      beforePart(index, sent.index());
      if (!sent.skipped()) {
        userPart(sent.part(), count++);
      }
      afterPart(index, sent.index());
    }
    if (count > 0) {
      put(END_MESSAGE);
      message++;
    }
  }

  private void userPart(Part part, int index) {
    if (index == 0) {
      begin(USER);
    } else {
      put(COMMA);
    }
    EncodedPart encoded = search.get(part, this::encode);
    block(MarkableBlocks.Kind.OTHER, part, encoded, new MarkableBlocks.Place(true, message, index));
  }

  private void result(Part.ToolResult result) {
    if (message > 0) {
      put(COMMA);
    }
    int last = Math.max(1, shownParts(result)) - 1;
    EncodedPart encoded = search.get(result, this::encode);
    block(
        MarkableBlocks.Kind.RESULT, result, encoded, new MarkableBlocks.Place(true, message, last));
    put(END_MESSAGE);
    message++;
  }

  /** How many texts the result has on the wire; one of them stands for all of its media. */
  private static int shownParts(Part.ToolResult result) {
    int texts = 0;
    int media = 0;
    for (Part part : result.content()) {
      if (part instanceof Part.Text text) {
        texts += text.text().isBlank() ? 0 : 1;
      } else {
        media = 1;
      }
    }
    return texts + media;
  }

  @Override
  protected EncodedPart encode(Part part) {
    return encoder.encode(part);
  }

  @Override
  protected String tool(String wireName, ToolDef tool) {
    String definition = EncodedPart.definition(wireName, tool, ",\"parameters\":");
    return "{\"type\":\"function\",\"function\":{" + definition + "}}";
  }
}

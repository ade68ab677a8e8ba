package dev.contexture.simulator;

import dev.contexture.block.Binary;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.simulator.SentBlock.Tier;
import dev.contexture.simulator.SentBlock.Ttl;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of requests as a cache sees them: tools, system and message parts in their
 * order, each with its bytes without marks. It reads every format that is built in, and content
 * that is written as one string.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TraceReader {
  private static final Set<String> MARKS = Set.of("cache_control", "prompt_cache_breakpoint");
  private static final List<String> SETTINGS =
      List.of("tool_choice", "thinking", "output_config", "reasoning", "response_format", "text");

  private final TokenMeter meter;

  public TraceReader(TokenMeter meter) {
    this.meter = meter;
  }

  /**
   * Reads one body.
   *
   * @param scope what the cache is shared within
   * @param start when it was sent, in seconds
   */
  public SentRequest read(String scope, double start, JsonObject body) {
    List<SentBlock> blocks = new ArrayList<>();
    items(body, "tools").forEach(tool -> addTool(blocks, tool));
    boolean explicitOnly =
        body.object("prompt_cache_options")
            .flatMap(options -> options.string("mode"))
            .filter("explicit"::equals)
            .isPresent();
    addParts(blocks, Tier.SYSTEM, "system", body.find("system").orElse(JsonArray.of()));
    body.object("systemInstruction")
        .ifPresent(system -> addParts(blocks, Tier.SYSTEM, "system", parts(system)));
    addSettings(blocks, body);
    for (String list : List.of("messages", "input", "contents")) {
      items(body, list).forEach(message -> addMessage(blocks, message));
    }
    return new SentRequest(scope, start, start, explicitOnly, blocks);
  }

  private static List<JsonValue> items(JsonObject body, String name) {
    return body.array(name).map(JsonArray::items).orElse(List.of());
  }

  /** Gemini keeps all declarations in one tool. */
  private void addTool(List<SentBlock> blocks, JsonValue tool) {
    List<JsonValue> declared =
        tool instanceof JsonObject object ? items(object, "functionDeclarations") : List.of();
    for (JsonValue each : declared.isEmpty() ? List.of(tool) : declared) {
      blocks.add(block(Tier.TOOLS, "tool", "tool", each));
    }
  }

  /** What the cache of messages depends on, though it has no tokens. */
  private static void addSettings(List<SentBlock> blocks, JsonObject body) {
    JsonObject.Builder settings = JsonObject.builder();
    for (String name : SETTINGS) {
      body.find(name).ifPresent(value -> settings.put(name, value));
    }
    JsonObject all = settings.build();
    if (!all.isEmpty()) {
      blocks.add(SentBlock.of(Tier.SETTING, "settings", all.toJson(), 0));
    }
  }

  private void addMessage(List<SentBlock> blocks, JsonValue value) {
    if (!(value instanceof JsonObject message)) {
      return;
    }
    String role = message.string("role").orElse(message.string("type").orElse(""));
    boolean head = role.equals("developer") || role.equals("system");
    Tier tier = head ? Tier.SYSTEM : Tier.MESSAGES;
    int before = blocks.size();
    if (message.has("content") || message.has("parts")) {
      addParts(blocks, tier, role, message.find("content").orElseGet(() -> parts(message)));
    } else if (message.has("output")) {
      addOutput(blocks, role, message);
    } else {
      blocks.add(block(tier, role, kind(message, role), message));
    }
    items(message, "tool_calls").forEach(call -> blocks.add(block(tier, role, "tool_use", call)));
    boolean ends = role.equals("user") || role.equals("tool") || message.has("output");
    if (ends && blocks.size() > before) {
      blocks.set(blocks.size() - 1, blocks.getLast().endingMessage());
    }
  }

  private void addOutput(List<SentBlock> blocks, String role, JsonObject message) {
    JsonValue output = message.find("output").orElse(JsonArray.of());
    String id = message.string("call_id").orElse("");
    addParts(blocks, Tier.MESSAGES, role + " " + id, output);
  }

  private static JsonValue parts(JsonObject message) {
    return message.find("parts").orElse(JsonArray.of());
  }

  private void addParts(List<SentBlock> blocks, Tier tier, String role, JsonValue content) {
    if (content instanceof JsonArray parts) {
      parts.items().forEach(part -> blocks.add(block(tier, role, kind(part, "text"), part)));
    } else if (content instanceof JsonString text) {
      blocks.add(block(tier, role, "text", text));
    }
  }

  private static String kind(JsonValue part, String otherwise) {
    if (!(part instanceof JsonObject object)) {
      return otherwise;
    }
    if (object.has("functionCall")) {
      return "tool_use";
    }
    if (object.has("functionResponse")) {
      return "tool_result";
    }
    return object.string("type").orElse(otherwise);
  }

  private SentBlock block(Tier tier, String role, String kind, JsonValue value) {
    JsonValue plain = withoutMark(value);
    long tokens = tokens(plain);
    return new SentBlock(tier, kind, role + " " + plain.toJson(), tokens, ttl(value), false, false);
  }

  private static JsonValue withoutMark(JsonValue value) {
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject plain = object;
    for (String mark : MARKS) {
      plain = plain.without(mark);
    }
    return plain;
  }

  private static @Nullable Ttl ttl(JsonValue value) {
    if (!(value instanceof JsonObject object)) {
      return null;
    }
    if (object.has("prompt_cache_breakpoint")) {
      return Ttl.THIRTY_MINUTES;
    }
    return object
        .object("cache_control")
        .map(mark -> mark.string("ttl").filter("1h"::equals).isPresent())
        .map(hour -> hour ? Ttl.ONE_HOUR : Ttl.FIVE_MINUTES)
        .orElse(null);
  }

  /** What a part counts as: its text, or all that it holds; media by their own rule. */
  private long tokens(JsonValue part) {
    if (part instanceof JsonString text) {
      return meter.texts(List.of(text.value()));
    }
    if (!(part instanceof JsonObject object)) {
      return meter.texts(List.of(part.toJson()));
    }
    JsonObject source = object.object("source").orElse(JsonObject.EMPTY);
    if (source.string("data").isPresent()) {
      Binary data = Binary.ofBase64(source.string("data").orElseThrow());
      boolean image = object.string("type").filter("image"::equals).isPresent();
      return image ? meter.image(data) : meter.document(data);
    }
    return meter.texts(List.of(object.string("text").orElseGet(object::toJson)));
  }
}

package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerException;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.provider.wire.answer.ErrorBody;
import dev.contexture.provider.wire.answer.EventAnswerStream;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the events of Anthropic Messages. Confined to one thread. */
final class AnthropicStream extends EventAnswerStream {
  private final Map<Integer, AnthropicBlock> blocks = new TreeMap<>();
  private JsonObject message = JsonObject.EMPTY;
  private JsonObject end = JsonObject.EMPTY;
  private @Nullable JsonObject usage;
  private boolean started;

  AnthropicStream(ModelRef model) {
    super(model);
  }

  @Override
  protected void data(String text) {
    JsonObject event = json.object(text);
    switch (event.string("type").orElse("")) {
      case "message_start" -> start(event);
      case "content_block_start" -> openBlock(event);
      case "content_block_delta" -> openAt(event).grow(json.object(event, "delta", "/delta"), json);
      case "content_block_stop" -> openAt(event).close();
      case "message_delta" -> {
        end = end.toBuilder().putAll(event.object("delta").orElse(JsonObject.EMPTY)).build();
        count(event);
      }
      case "message_stop" -> stop();
      case "error" -> fail(ErrorBody.in(event).orElse(JsonObject.EMPTY));
      case "ping" -> {}
      default -> unknown(event);
    }
  }

  private void start(JsonObject event) {
    message = json.object(event, "message", "/message");
    started = true;
    count(message);
  }

  private void openBlock(JsonObject event) {
    int index = index(event);
    JsonObject block = json.object(event, "content_block", "/content_block");
    json.name(block, "type", "/content_block/type");
    if (blocks.putIfAbsent(index, new AnthropicBlock(block)) != null) {
      throw AnswerException.malformed(
          json.provider(), "/index", "a new block", "block " + index + " a second time");
    }
  }

  private AnthropicBlock openAt(JsonObject event) {
    int index = index(event);
    AnthropicBlock block = blocks.get(index);
    if (block == null || block.closed()) {
      throw AnswerException.malformed(
          json.provider(), "/index", "a block that is open", "block " + index + ", which is not");
    }
    return block;
  }

  private int index(JsonObject event) {
    JsonValue index = event.members().get("index");
    if (index instanceof JsonNumber number) {
      long value = number.asLong().orElse(-1);
      if (value >= 0 && value <= Integer.MAX_VALUE) {
        return (int) value;
      }
    }
    throw json.wrongType("/index", "a number from 0", index);
  }

  /** Takes over the counts that are named; they are sums since the start. */
  private void count(JsonObject from) {
    JsonObject counts = from.object("usage").orElse(null);
    if (counts != null) {
      JsonObject.Builder sums = (usage == null ? JsonObject.EMPTY : usage).toBuilder();
      counts.members().forEach((key, count) -> putUnlessNull(sums, key, count));
      usage = sums.build();
    }
  }

  private static void putUnlessNull(JsonObject.Builder sums, String key, JsonValue count) {
    if (count != JsonNull.NULL) {
      sums.put(key, count);
    }
  }

  private void stop() {
    if (!started) {
      throw AnswerException.malformed(json.provider(), "", "message_start", "message_stop alone");
    }
    finish();
  }

  private void unknown(JsonObject event) {
    String type = event.string("type").orElse("without type");
    finding("event_unknown", "/type", "an event of type " + type + " was skipped");
  }

  @Override
  protected ModelAnswer reply(@Nullable Cut how) {
    ReplyBuilder reply = new ReplyBuilder(model);
    reply.findings(findings);
    reply.identify(message.string("id").orElse(null), message.string("model").orElse(null));
    reply.stopWords(AnthropicReader.stopWords(end));
    Stop stop = AnthropicReader.stop(end);
    AnthropicParts parts = new AnthropicParts(json, reply, stop);
    blocks.forEach((index, block) -> parts.add(index, block.raw(), block.closed()));
    reply.usage(AnthropicReader.usage(usage));
    return reply.build(stop, how);
  }
}

package dev.contexture.mcp;

import dev.contexture.block.CodePoints;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/**
 * Keeps results of tools within a number of bytes of JSON. What does not fit is left out, and the
 * result says so and how to get the rest.
 */
final class ResultLimit {
  /** How much of each text and list is kept of an entry that alone is too large. */
  private static final List<Integer> SHORTER = List.of(2_000, 400, 80, 16);

  private static final int TEXTS_PER_ITEM = 20;

  private final int bytes;

  ResultLimit(int bytes) {
    this.bytes = bytes;
  }

  boolean fits(ToolReply reply) {
    return reply.bytes() <= bytes;
  }

  /**
   * A part of a text.
   *
   * @param offset the first character that is shown, in code points
   */
  ToolReply text(String whole, long offset) {
    int total = CodePoints.count(whole);
    int from = (int) Math.min(offset, total);
    String rest = whole.substring(whole.offsetByCodePoints(0, from));
    int shown = most(total - from, count -> fits(part(rest, from, count, total)));
    return part(rest, from, shown, total);
  }

  private static ToolReply part(String rest, int from, int count, int total) {
    String shown = CodePoints.first(rest, count);
    int end = from + count;
    if (end < total || from > total) {
      shown +=
          "\n\n[cut: characters "
              + from
              + " to "
              + end
              + " of "
              + total
              + "; call again with offset "
              + end
              + " for the rest]";
    }
    return ToolReply.text(shown);
  }

  /**
   * As many entries as fit, at least one, which is then shortened if need be.
   *
   * @param form makes the result of the first entries, and of how many are left out
   */
  ToolReply page(List<JsonObject> entries, BiFunction<List<JsonObject>, Integer, ToolReply> form) {
    int shown =
        most(
            entries.size(),
            count -> fits(form.apply(entries.subList(0, count), entries.size() - count)));
    if (shown > 0 || entries.isEmpty()) {
      return form.apply(entries.subList(0, shown), entries.size() - shown);
    }
    for (int chars : SHORTER) {
      JsonObject shorter = (JsonObject) shortened(entries.getFirst(), chars);
      ToolReply reply =
          form.apply(List.of(shorter.with("truncated", JsonValue.of(true))), entries.size() - 1);
      if (fits(reply)) {
        return reply;
      }
    }
    return tooLarge(form.apply(entries.subList(0, 1), entries.size() - 1));
  }

  /** The result, or an error if it is too large all the same. */
  ToolReply guard(ToolReply reply) {
    return fits(reply) ? reply : tooLarge(reply);
  }

  private ToolReply tooLarge(ToolReply reply) {
    return ToolReply.failed(
        "limit_exceeded: the result has "
            + reply.bytes()
            + " bytes, allowed are "
            + bytes
            + "; ask for less at once");
  }

  private static JsonValue shortened(JsonValue value, int chars) {
    return switch (value) {
      case JsonString text -> JsonValue.of(CodePoints.shortened(text.value(), chars));
      case JsonArray array -> {
        List<JsonValue> kept = new ArrayList<>();
        int most = Math.max(1, chars / TEXTS_PER_ITEM);
        array.items().stream().limit(most).forEach(item -> kept.add(shortened(item, chars)));
        yield new JsonArray(kept);
      }
      case JsonObject object -> {
        JsonObject.Builder kept = JsonObject.builder();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
          kept.put(member.getKey(), shortened(member.getValue(), chars));
        }
        yield kept.build();
      }
      default -> value;
    };
  }

  /** The largest number up to a bound that holds, where all smaller ones hold too; or 0. */
  private static int most(int bound, IntFunction<Boolean> holds) {
    if (bound == 0 || holds.apply(bound)) {
      return bound;
    }
    int fits = 0;
    int tooMany = bound;
    while (tooMany - fits > 1) {
      int middle = (fits + tooMany) >>> 1;
      if (holds.apply(middle)) {
        fits = middle;
      } else {
        tooMany = middle;
      }
    }
    return fits;
  }
}

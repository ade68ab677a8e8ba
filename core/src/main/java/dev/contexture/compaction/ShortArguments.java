package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CodePoints;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.StreamItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of a call that is too large to be shown whole: each long text in them ends behind
 * its first characters and says where the rest is. What is left is JSON of the same form.
 */
final class ShortArguments {
  private static final int SHOWN_CHARS = 200;
  private static final String PARAMS = "params";

  private ShortArguments() {}

  /** Whether a call may be shown with shorter arguments. */
  static boolean isPossible(StreamItem item) {
    return item.type().equals(BlockType.REACT_TOOL_CALL)
        && !item.replaced()
        && item.seq().isPresent()
        && item.path().isPresent();
  }

  /** The record that shows a call with shorter arguments; empty if no text in them is long. */
  static Optional<Visibility> of(TimelineEntry entry, long maxTokens, Instant now) {
    Block block = entry.block();
    BlockPath path = block.path().orElse(null);
    if (path == null || entry.seq().isEmpty()) {
      return Optional.empty();
    }
    JsonObject call =
        entry
            .jsonObject()
            .orElseGet(
                () ->
                    JsonObject.of(
                        PARAMS, JsonObject.of("_raw", JsonValue.of(block.text().orElse("")))));
    JsonObject params = call.object(PARAMS).orElse(JsonObject.EMPTY);
    JsonValue shorter = shortened(params, path);
    return shorter.equals(params)
        ? Optional.empty()
        : Optional.of(
            new Visibility(
                entry.seq().getAsLong(),
                call.with(PARAMS, shorter).toJson(),
                Visibility.Reason.ARGUMENTS,
                now,
                maxTokens,
                null));
  }

  private static JsonValue shortened(JsonValue value, BlockPath path) {
    if (value instanceof JsonString text) {
      return JsonValue.of(shortened(text.value(), path));
    }
    if (value instanceof JsonArray array) {
      List<JsonValue> items = new ArrayList<>(array.size());
      array.items().forEach(item -> items.add(shortened(item, path)));
      return new JsonArray(items);
    }
    if (value instanceof JsonObject object) {
      JsonObject.Builder members = JsonObject.builder();
      object.members().forEach((key, member) -> members.put(key, shortened(member, path)));
      return members.build();
    }
    return value;
  }

  private static String shortened(String text, BlockPath path) {
    if (text.length() <= SHOWN_CHARS) {
      return text;
    }
    int more = CodePoints.count(text) - SHOWN_CHARS;
    String marked =
        CodePoints.first(text, SHOWN_CHARS)
            + "… ["
            + more
            + " more characters; react.read "
            + path
            + "]";
    return marked.length() < text.length() ? marked : text;
  }
}

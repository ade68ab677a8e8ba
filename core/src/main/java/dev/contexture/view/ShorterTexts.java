package dev.contexture.view;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.CallId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.TimelineEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shorter and shorter texts that can stand for a pruned block. */
final class ShorterTexts {
  private final TimelineEntry entry;
  private final Block block;
  private final BlockPath path;
  private final @Nullable String tool;
  private final PruneSettings settings;

  ShorterTexts(TimelineEntry entry, @Nullable String tool, PruneSettings settings) {
    this.entry = entry;
    this.block = entry.block();
    this.path = block.path().orElseThrow();
    this.tool = tool;
    this.settings = settings;
  }

  /** The candidates, longest first; the last one only names the path. */
  List<String> candidates() {
    List<String> texts = new ArrayList<>();
    switch (block.type().isCall() ? BlockPath.Kind.CALL : path.kind()) {
      case FILE, ATTACHMENT, CODE -> halve(texts, settings.maxFieldChars(), this::file);
      case SKILL -> texts.add("[TRUNCATED SKILL] re-read: " + path);
      case CALL, RESULT, NOTICE, SOURCES -> tool(texts);
      case ARTIFACT, SUMMARY -> halve(texts, settings.maxTextChars(), this::plain);
    }
    texts.add("[TRUNCATED] " + path);
    return texts;
  }

  private void tool(List<String> texts) {
    if (!block.type().isCall() && !block.type().isResult()) {
      halve(texts, settings.maxTextChars(), this::plain);
      return;
    }
    int field = block.type().isCall() ? settings.maxFieldChars() : settings.maxResultFieldChars();
    int items = settings.maxListItems();
    int keys = settings.maxMapKeys();
    for (; field > 0; field /= 2, items = (items + 1) / 2, keys = (keys + 1) / 2) {
      texts.add(toolJson(field, items, keys));
    }
  }

  private String toolJson(int field, int items, int keys) {
    JsonValue json =
        entry
            .json()
            .map(ToolJson::withoutHandles)
            .orElseGet(() -> JsonValue.of(block.text().orElse("")));
    JsonObject.Builder shown = JsonObject.builder();
    shown.putIfPresent("tool_id", tool);
    shown.putIfPresent("tool_call_id", entry.callId().map(CallId::value).orElse(null));
    String name = block.type().isCall() ? "params" : "result";
    JsonValue content =
        json instanceof JsonObject object && object.has(name)
            ? object.find(name).orElseThrow()
            : withoutIds(json);
    shown.put(name, shorten(content, field, items, keys));
    return shown.put("truncated", true).build().toJson();
  }

  private static JsonValue withoutIds(JsonValue json) {
    return json instanceof JsonObject object
        ? object.without("tool_id").without("tool_call_id")
        : json;
  }

  private static JsonValue shorten(JsonValue value, int field, int items, int keys) {
    return switch (value) {
      case JsonString text -> JsonValue.of(shorten(text.value(), field));
      case JsonArray array -> {
        List<JsonValue> kept = new ArrayList<>();
        for (int i = 0; i < Math.min(items, array.size()); i++) {
          kept.add(shorten(array.items().get(i), field, items, keys));
        }
        if (array.size() > items) {
          kept.add(JsonValue.of("... (" + (array.size() - items) + " more)"));
        }
        yield new JsonArray(kept);
      }
      case JsonObject object -> {
        JsonObject.Builder kept = JsonObject.builder();
        int count = 0;
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
          if (count++ == keys) {
            kept.put("...", (object.size() - keys) + " more keys");
            break;
          }
          kept.put(member.getKey(), shorten(member.getValue(), field, items, keys));
        }
        yield kept.build();
      }
      default -> value;
    };
  }

  private static String shorten(String text, int field) {
    return text.startsWith("ref:") || chars(text) <= field
        ? text
        : cut(text, field) + "...[truncated]";
  }

  private String file(int limit) {
    long size =
        block
            .data()
            .map(Binary::sizeBytes)
            .orElseGet(() -> block.text().orElse("").getBytes(StandardCharsets.UTF_8).length);
    String summary = BlockLines.oneLine(block.meta().string("summary").orElse(""));
    String shown = chars(summary) <= limit ? summary : cut(summary, limit) + "...";
    return "[TRUNCATED FILE] path="
        + path
        + " mime="
        + block.mime()
        + " size="
        + size
        + " summary="
        + shown;
  }

  private String plain(int limit) {
    String text = block.text().orElse("");
    return "[TRUNCATED] " + (chars(text) <= limit ? text : cut(text, limit) + "...");
  }

  private static void halve(
      List<String> texts, int limit, java.util.function.IntFunction<String> text) {
    for (int at = limit; at > 0; at /= 2) {
      texts.add(text.apply(at));
    }
  }

  private static int chars(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String cut(String text, int chars) {
    return text.substring(0, text.offsetByCodePoints(0, chars));
  }
}

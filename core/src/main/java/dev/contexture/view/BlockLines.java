package dev.contexture.view;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The labelled lines of a block. A line without a value is left out. */
final class BlockLines {
  private static final int MAX_LISTED_TURNS = 8;

  private static final Map<BlockType, String> LABELS =
      Map.of(
          BlockType.USER_PROMPT, "[USER MESSAGE]",
          BlockType.USER_ATTACHMENT_META, "[USER ATTACHMENT]",
          BlockType.USER_ATTACHMENT, "[USER ATTACHMENT]",
          BlockType.USER_ATTACHMENT_TEXT, "[USER ATTACHMENT TEXT]",
          BlockType.ASSISTANT_COMPLETION, "[ASSISTANT MESSAGE]",
          BlockType.REACT_NOTE, "[INTERNAL NOTE]",
          BlockType.REACT_TOOL_CODE, "[AI Agent wrote code]",
          BlockType.SYSTEM_MESSAGE, "[SYSTEM MESSAGE]",
          BlockType.TOOL_LATE_RESULT, "[LATE RESULT]",
          BlockType.CONTEXT_PIN, "[PINNED]");

  private final List<String> lines = new ArrayList<>(4);

  private BlockLines() {}

  /**
   * The lines of a block as it is.
   *
   * @param tool its tool by T-10, if known
   */
  static List<String> of(TimelineEntry entry, @Nullable String tool) {
    Block block = entry.block();
    BlockType type = block.type();
    BlockLines lines = new BlockLines();
    if (type.equals(BlockType.TURN_HEADER)) {
      lines.add(header(block));
    } else if (type.equals(BlockType.USER_ATTACHMENT_META)) {
      lines.attachment(block);
    } else if (type.equals(BlockType.ASSISTANT_COMPLETION)) {
      lines.label(type).path(block).add(sourcesUsed(block)).body(block);
    } else if (type.equals(BlockType.REACT_NOTES)) {
      String text = text(block);
      lines.add(text.isEmpty() ? "" : "[AI Agent say]: " + text);
    } else if (type.equals(BlockType.REACT_TOOL_CALL)) {
      lines.call(entry, tool);
    } else if (type.equals(BlockType.REACT_TOOL_RESULT)) {
      lines.result(entry, tool);
    } else if (type.equals(BlockType.REACT_NOTICE)) {
      lines.notice(entry);
    } else if (!type.equals(BlockType.USER_ATTACHMENT)) {
      lines.label(type).path(block).body(block);
    }
    return lines.lines;
  }

  /** The lines of a block that is shown as something else. */
  static List<String> replaced(Block block, String replacement) {
    BlockLines lines = new BlockLines();
    lines.add(replacedLabel(block.type())).path(block).add(stripEnd(replacement));
    return lines.lines;
  }

  static List<String> of(Summary summary) {
    BlockLines lines = new BlockLines();
    List<TurnId> turns = summary.coveredTurns();
    lines.add("[SUMMARY] covers " + turns.size() + " turns: " + listed(turns));
    lines.add(pathLine(summary.path())).add(stripEnd(summary.text())).add("[END SUMMARY]");
    return lines.lines;
  }

  static String header(Block block) {
    return "[TURN " + block.turn() + "] ts=" + block.ts().map(Instant::toString).orElse("");
  }

  static String pathLine(BlockPath path) {
    return "[path: " + path + "]";
  }

  static String text(Block block) {
    return stripEnd(block.text().orElse(""));
  }

  /** The text without line breaks at its end; nothing else is altered. */
  static String stripEnd(String text) {
    int end = text.length();
    while (end > 0 && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return text.substring(0, end);
  }

  /** A status is a result on its call's own path; anywhere else it is an artifact. */
  static boolean isStatus(Block block) {
    boolean ownPath = block.path().map(path -> path.kind() == BlockPath.Kind.RESULT).orElse(true);
    return ownPath && (block.text().isPresent() || block.data().isEmpty());
  }

  private void attachment(Block block) {
    JsonObject meta = block.meta();
    String name =
        meta.string("filename").or(() -> block.path().map(BlockPath::lastSegment)).orElse("");
    String mime = meta.string("mime").map(value -> " | " + value).orElse("");
    add("[USER ATTACHMENT]" + (name.isEmpty() ? "" : " " + name) + mime);
    String summary = oneLine(meta.string("summary").orElse(""));
    add(summary.isEmpty() ? "" : "summary: " + summary);
    path(block).physicalPath(block);
  }

  private void call(TimelineEntry entry, @Nullable String tool) {
    Block block = entry.block();
    Optional<JsonObject> json = entry.jsonObject();
    if (json.isPresent()) {
      add("[react.tool.call] (JSON)");
      add(ToolJson.call(json.get(), tool, callId(entry)).toPrettyJson());
    } else {
      add("[react.tool.call] (text)").path(block).body(block);
    }
  }

  private void result(TimelineEntry entry, @Nullable String tool) {
    Block block = entry.block();
    if (!isStatus(block)) {
      add("[react.tool.result] (artifact block)").path(block).physicalPath(block).body(block);
      return;
    }
    Optional<JsonValue> json = entry.json();
    if (json.isPresent()) {
      add("[react.tool.result] (JSON status)");
      add(ToolJson.result(json.get(), tool, callId(entry)).toPrettyJson());
    } else {
      add("[react.tool.result] (text)").path(block).body(block);
    }
  }

  private void notice(TimelineEntry entry) {
    Block block = entry.block();
    Optional<JsonValue> json = entry.json();
    if (json.isPresent()) {
      add("[react.notice] (JSON)").path(block);
      add(ToolJson.withoutHandles(json.get()).toPrettyJson());
    } else {
      add("[react.notice]").path(block).body(block);
    }
  }

  private static @Nullable String callId(TimelineEntry entry) {
    return entry.callId().map(CallId::value).orElse(null);
  }

  private BlockLines label(BlockType type) {
    return add(LABELS.getOrDefault(type, "[" + type + "]"));
  }

  private static String replacedLabel(BlockType type) {
    if (type.equals(BlockType.REACT_NOTES)) {
      return "[AI Agent say]:";
    }
    boolean tool = type.isCall() || type.isResult() || type.equals(BlockType.REACT_NOTICE);
    String label = LABELS.getOrDefault(type, "[" + type + "]");
    return tool ? label + " (replaced)" : label;
  }

  private BlockLines path(Block block) {
    return add(block.path().map(BlockLines::pathLine).orElse(""));
  }

  private BlockLines physicalPath(Block block) {
    return add(
        block
            .path()
            .flatMap(BlockPath::physical)
            .map(physical -> "[physical_path: " + physical + "]")
            .orElse(""));
  }

  private BlockLines body(Block block) {
    return add(text(block));
  }

  private BlockLines add(String line) {
    if (!line.isEmpty()) {
      lines.add(line);
    }
    return this;
  }

  private static String sourcesUsed(Block block) {
    JsonArray sids = block.meta().array("sources_used").orElse(JsonArray.of());
    if (sids.isEmpty()) {
      return "";
    }
    List<String> shown = sids.items().stream().map(JsonValue::toJson).toList();
    return "[sources_used: [" + String.join(", ", shown) + "]]";
  }

  static String oneLine(String text) {
    return text.replaceAll("\\R", " ").strip();
  }

  private static String listed(List<TurnId> turns) {
    List<String> ids = turns.stream().map(TurnId::value).toList();
    if (ids.size() <= MAX_LISTED_TURNS) {
      return String.join(", ", ids);
    }
    int size = ids.size();
    return String.join(", ", ids.get(0), ids.get(1), "...", ids.get(size - 2), ids.get(size - 1));
  }
}

package dev.contexture.compaction.summary;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the content of what a summary replaces can still be read, newest first: written and patched
 * files, attachments, previewed and hidden blocks and large results, then what the previous summary
 * listed.
 */
public final class RecoverablePaths {
  public static final String HEADING = "## Recoverable paths";

  private static final int MAX_LINES = 40;
  private static final long LARGE_RESULT_TOKENS = 200;
  private static final Pattern LINE = Pattern.compile("- (\\S.*) \\(([a-z ]+)\\)");

  private final View view;
  private final IdentityHashMap<TimelineEntry, StreamItem> shown = new IdentityHashMap<>();
  private final Map<String, String> kinds = new LinkedHashMap<>();

  private RecoverablePaths(View view) {
    this.view = view;
    view.items().forEach(item -> item.entry().ifPresent(entry -> shown.put(entry, item)));
  }

  public static List<String> of(
      View view, List<TimelineEntry> history, List<TimelineEntry> prefix) {
    RecoverablePaths paths = new RecoverablePaths(view);
    prefix.reversed().forEach(paths::add);
    history.reversed().forEach(paths::add);
    view.window().summary().map(Summary::text).ifPresent(paths::addCarried);
    List<String> lines = new ArrayList<>();
    paths.kinds.forEach((path, kind) -> lines.add("- " + path + " (" + kind + ")"));
    return lines.subList(0, Math.min(MAX_LINES, lines.size()));
  }

  private void add(TimelineEntry entry) {
    Block block = entry.block();
    kind(entry).ifPresent(kind -> block.path().ifPresent(path -> put(path.text(), kind)));
    if (block.type().isResult() && toolKind(entry).writes()) {
      entry
          .jsonObject()
          .flatMap(status -> status.string("artifact_path"))
          .filter(BlockPath::isValid)
          .ifPresent(path -> put(BlockPath.parse(path).text(), fileKind(entry)));
    }
  }

  private void put(String path, String kind) {
    kinds.putIfAbsent(path, kind);
  }

  private Optional<String> kind(TimelineEntry entry) {
    Block block = entry.block();
    BlockType type = block.type();
    Optional<Visibility> visibility = view.timeline().visibility(entry);
    if (visibility.isPresent()) {
      boolean preview = visibility.get().reason() == Visibility.Reason.OVERSIZE;
      return Optional.of(preview ? "preview" : "hidden");
    }
    if (type.equals(BlockType.USER_ATTACHMENT)
        || type.equals(BlockType.USER_ATTACHMENT_META)
        || type.equals(BlockType.USER_ATTACHMENT_TEXT)) {
      return Optional.of("attachment");
    }
    if (!type.isResult()) {
      return Optional.empty();
    }
    boolean file = block.path().map(p -> p.kind() == BlockPath.Kind.FILE).orElse(false);
    if (file && toolKind(entry).writes()) {
      return Optional.of(fileKind(entry));
    }
    StreamItem item = shown.get(entry);
    return item != null && item.cost() >= LARGE_RESULT_TOKENS
        ? Optional.of("result")
        : Optional.empty();
  }

  private String fileKind(TimelineEntry entry) {
    return toolKind(entry) == ToolKind.PATCH ? "patched file" : "file";
  }

  private ToolKind toolKind(TimelineEntry entry) {
    StreamItem item = shown.get(entry);
    return ToolKind.of(item == null ? entry.ownToolId().orElse(null) : item.tool().orElse(null));
  }

  private void addCarried(String previous) {
    int at = previous.lastIndexOf(HEADING + "\n");
    if (at < 0) {
      return;
    }
    for (String line : previous.substring(at + HEADING.length() + 1).split("\n")) {
      Matcher path = LINE.matcher(line);
      if (path.matches()) {
        put(path.group(1), path.group(2));
      }
    }
  }
}

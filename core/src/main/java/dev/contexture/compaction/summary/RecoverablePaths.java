package dev.contexture.compaction.summary;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists the paths where content that a summary replaces can still be read, newest first: written
 * and patched files, attachments, previewed and hidden blocks and large results, then the list of
 * the previous summary.
 */
public final class RecoverablePaths {
  private static final int MAX_PATHS = 40;
  private static final long LARGE_RESULT_TOKENS = 200;

  private final View view;
  private final IdentityHashMap<TimelineEntry, StreamItem> shown = new IdentityHashMap<>();
  private final Map<List<Object>, TimelineEntry> calls = new HashMap<>();
  private final Map<BlockPath, SummaryEntry> found = new LinkedHashMap<>();

  private RecoverablePaths(View view) {
    this.view = view;
    view.items().forEach(item -> item.entry().ifPresent(entry -> shown.put(entry, item)));
  }

  /**
   * The paths as entries, newest first.
   *
   * @param before those of the summary before, newest first
   */
  public static List<SummaryEntry> of(
      View view,
      List<TimelineEntry> history,
      List<TimelineEntry> prefix,
      List<SummaryEntry> before) {
    RecoverablePaths paths = new RecoverablePaths(view);
    history.forEach(paths::noteCall);
    prefix.forEach(paths::noteCall);
    prefix.reversed().forEach(paths::add);
    history.reversed().forEach(paths::add);
    before.forEach(entry -> entry.path().ifPresent(path -> paths.found.putIfAbsent(path, entry)));
    return paths.found.values().stream().limit(MAX_PATHS).toList();
  }

  private void noteCall(TimelineEntry entry) {
    if (entry.block().type().isCall()) {
      entry.callId().ifPresent(id -> calls.put(List.of(entry.turn(), id), entry));
    }
  }

  private void add(TimelineEntry entry) {
    Block block = entry.block();
    kind(entry).ifPresent(kind -> block.path().ifPresent(path -> put(entry, path, kind)));
    if (block.type().isResult() && toolKind(entry).writes()) {
      entry
          .jsonObject()
          .flatMap(status -> status.string("artifact_path"))
          .filter(BlockPath::isValid)
          .ifPresent(path -> put(entry, BlockPath.parse(path), fileKind(entry)));
    }
  }

  private void put(TimelineEntry entry, BlockPath path, String kind) {
    found.putIfAbsent(
        path,
        new SummaryEntry(
            SummaryEntry.Kind.FILE, entry.turn(), entry.seq().orElse(0), path, kind, 0));
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
    return ToolKind.of(entry, call(entry).orElse(entry));
  }

  private Optional<TimelineEntry> call(TimelineEntry entry) {
    return entry.callId().map(id -> calls.get(List.of(entry.turn(), id)));
  }
}

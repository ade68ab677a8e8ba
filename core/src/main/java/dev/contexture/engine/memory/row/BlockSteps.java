package dev.contexture.engine.memory.row;

import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.store.memory.UpdateRow;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a block that can be undone and redone. Confined to its block's lock.
 *
 * <p>Each is named by the update that made it and reverted through the update that last put it in
 * or out of effect, so that undoing and redoing needs no more history than the steps themselves. An
 * undo can be redone, a redo is a step again; an edit empties the redo list of its author and of
 * what its author took back. Old steps are forgotten; so are those at or below a checkpoint, which
 * is the same as never having read them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BlockSteps {
  /** Updates that stay whatever is undone, for edits against a base. */
  public static final int KEPT_UPDATES = 50;

  private static final int UPDATES_PER_STEP = 20; // with those that undo and redo
  private static final int BYTES_FACTOR = 4;

  private final MemoryLimits limits;
  private final ArrayDeque<Step> undo = new ArrayDeque<>(); // newest first
  private final ArrayDeque<Step> redo = new ArrayDeque<>();
  private final NavigableMap<Long, Integer> sizes = new TreeMap<>(); // of updates, by number

  public BlockSteps(MemoryLimits limits) {
    this.limits = limits;
  }

  /**
   * One step.
   *
   * @param id the update that first made it
   * @param update the newest one that made, undid or redid it
   * @param author who made it
   * @param by who made that update
   * @param sizeBytes of what first made it
   */
  public record Step(long id, long update, Actor author, Actor by, int sizeBytes) {
    private boolean isOf(@Nullable Actor wanted) {
      return wanted == null || wanted.equals(author);
    }
  }

  public void add(UpdateRow row) {
    sizes.put(row.seq(), row.sizeBytes());
    Actor by = MemoryRecords.version(row).actor();
    switch (row.step()) {
      case EDIT -> {
        undo.push(new Step(row.seq(), row.seq(), by, by, row.sizeBytes()));
        redo.removeIf(step -> step.author().equals(by) || step.by().equals(by));
      }
      case UNDO -> move(row, by, undo, redo);
      case REDO -> move(row, by, redo, undo);
    }
    forgetOld();
  }

  /**
   * Forgets what is not among the newest steps of its author, undone ones counted first. It does
   * not come back when an edit drops undone ones, so that nothing depends on when history is
   * folded.
   */
  private void forgetOld() {
    Map<Actor, Window> windows = new HashMap<>();
    for (ArrayDeque<Step> steps : List.of(redo, undo)) {
      steps.removeIf(
          step -> !windows.computeIfAbsent(step.author(), any -> new Window()).takes(step));
    }
  }

  /** An update that does not say which step it is about, is about the newest one. */
  private static void move(UpdateRow row, Actor by, ArrayDeque<Step> from, ArrayDeque<Step> to) {
    MemoryRecords.Reverted said = MemoryRecords.reverted(row);
    if (said == null) {
      Step newest = from.poll();
      to.push(
          newest == null
              ? new Step(row.seq(), row.seq(), by, by, row.sizeBytes())
              : new Step(newest.id(), row.seq(), newest.author(), by, newest.sizeBytes()));
      return;
    }
    from.removeIf(step -> step.id() == said.step() || said.skipped().contains(step.id()));
    to.push(new Step(said.step(), row.seq(), said.author(), by, said.sizeBytes()));
  }

  /** Of the updates that are not trimmed. */
  public long sizeBytes() {
    return sizes.values().stream().mapToLong(Integer::longValue).sum();
  }

  public void trim(long checkpoint) {
    undo.removeIf(step -> step.update() <= checkpoint);
    redo.removeIf(step -> step.update() <= checkpoint);
    sizes.headMap(checkpoint, true).clear();
  }

  /**
   * What an undo or redo takes, newest first.
   *
   * @param author whose steps; null: anybody's
   */
  public List<Step> newest(UpdateRow.Step kind, @Nullable Actor author) {
    Window window = new Window();
    List<Step> undone =
        redo.stream().filter(step -> step.isOf(author)).filter(window::takes).toList();
    return kind == UpdateRow.Step.REDO
        ? undone
        : undo.stream().filter(step -> step.isOf(author)).filter(window::takes).toList();
  }

  /** The newest steps, in effect or not: how many there are depends on nothing else. */
  private final class Window {
    private int steps;
    private long bytes;

    boolean takes(Step step) {
      steps++;
      bytes += step.sizeBytes();
      return steps <= limits.undoSteps() && (bytes <= limits.undoBytes() || steps == 1);
    }
  }

  public int undoDepth(@Nullable Actor author) {
    return newest(UpdateRow.Step.UNDO, author).size();
  }

  public int redoDepth(@Nullable Actor author) {
    return newest(UpdateRow.Step.REDO, author).size();
  }

  /**
   * The version up to which history may be folded away: everything above it stays that the newest
   * steps of each author need, as long as that is not too much.
   */
  public long foldable() {
    if (sizes.size() <= KEPT_UPDATES) {
      return 0;
    }
    long newest = sizes.lastKey();
    return Math.min(newest - KEPT_UPDATES, Math.max(oldestNeeded(), oldestAffordable()));
  }

  private long oldestNeeded() {
    return Stream.concat(redo.stream(), undo.stream())
        .mapToLong(step -> step.update() - 1)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private long oldestAffordable() {
    long bytes = 0;
    long updates = 0;
    for (Map.Entry<Long, Integer> update : sizes.descendingMap().entrySet()) {
      bytes += update.getValue();
      updates++;
      if (bytes > (long) BYTES_FACTOR * limits.undoBytes()
          || updates > (long) UPDATES_PER_STEP * limits.undoSteps()) {
        return update.getKey();
      }
    }
    return 0;
  }
}

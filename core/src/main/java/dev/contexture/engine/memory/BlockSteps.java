package dev.contexture.engine.memory;

import dev.contexture.store.memory.UpdateRow;
import java.util.ArrayDeque;

/**
 * What can be undone and redone (M-65). Confined to its block's lock.
 *
 * <p>Steps are undone newest first, so the content after an undo is what it was before the step:
 * each number here stands for the content at the number before it. An undo can be redone, a redo is
 * a step again, an edit empties the redo list. What lies at or below a checkpoint is forgotten,
 * which is the same as never having read it: an undo of a forgotten step finds nothing to take
 * away.
 */
final class BlockSteps {
  private final ArrayDeque<Long> undo = new ArrayDeque<>();
  private final ArrayDeque<Long> redo = new ArrayDeque<>();

  void add(long seq, UpdateRow.Step step) {
    switch (step) {
      case EDIT -> {
        undo.push(seq);
        redo.clear();
      }
      case UNDO -> {
        undo.poll();
        redo.push(seq);
      }
      case REDO -> {
        redo.poll();
        undo.push(seq);
      }
    }
  }

  void trim(long checkpoint) {
    undo.removeIf(seq -> seq <= checkpoint);
    redo.removeIf(seq -> seq <= checkpoint);
  }

  int undoDepth() {
    return undo.size();
  }

  int redoDepth() {
    return redo.size();
  }

  /** The version whose content an undo brings back; there must be something to undo. */
  long beforeNewestStep() {
    return undo.getFirst() - 1;
  }

  /** The version whose content a redo brings back; there must be something to redo. */
  long beforeNewestUndo() {
    return redo.getFirst() - 1;
  }
}

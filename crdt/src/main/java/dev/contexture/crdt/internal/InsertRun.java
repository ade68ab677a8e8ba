package dev.contexture.crdt.internal;

import dev.contexture.crdt.internal.data.SplayNode;

/**
 * A run of consecutive operations that inserted neighbours, as a {@link Tracker} sees them.
 * Confined to one thread.
 */
final class InsertRun extends SplayNode<InsertRun> {
  /** Id of no character: in front of, or behind, everything. */
  static final int NOWHERE = Integer.MIN_VALUE;

  final int id;
  final int originLeft;
  final int originRight;
  int length;

  /** Whether the version at which operations are being read knows this run. */
  boolean inserted = true;

  /** How many deletions of this run that version knows. */
  int deletions;

  /** Whether the state no longer shows this run. */
  boolean gone;

  /** Sums over the subtree: characters, those the read version shows, those the state shows. */
  int width;

  int readable;
  int shown;

  InsertRun(int id, int length, int originLeft, int originRight) {
    this.id = id;
    this.length = length;
    this.originLeft = originLeft;
    this.originRight = originRight;
    pull();
  }

  boolean isReadable() {
    return inserted && deletions == 0;
  }

  int lastId() {
    return id + length - 1;
  }

  /** Cuts off everything from {@code offset} on; the rest is not yet in the tree. */
  InsertRun split(int offset) {
    InsertRun rest = new InsertRun(id + offset, length - offset, id + offset - 1, originRight);
    rest.inserted = inserted;
    rest.deletions = deletions;
    rest.gone = gone;
    length = offset;
    return rest;
  }

  @Override
  public void pull() {
    width = length;
    readable = isReadable() ? length : 0;
    shown = gone ? 0 : length;
    if (left != null) {
      width += left.width;
      readable += left.readable;
      shown += left.shown;
    }
    if (right != null) {
      width += right.width;
      readable += right.readable;
      shown += right.shown;
    }
  }

  int widthBefore() {
    return left == null ? 0 : left.width;
  }

  int readableBefore() {
    return left == null ? 0 : left.readable;
  }

  int shownBefore() {
    return left == null ? 0 : left.shown;
  }
}

package dev.contexture.crdt.internal;

import org.jspecify.annotations.Nullable;

/** A node of a {@link SplayTree}; subclasses add values and the sums over their subtree. */
abstract class SplayNode<N extends SplayNode<N>> {
  @Nullable N left;
  @Nullable N right;
  @Nullable N parent;

  /** Computes the sums of this subtree from its own value and the sums of its children. */
  abstract void pull();
}

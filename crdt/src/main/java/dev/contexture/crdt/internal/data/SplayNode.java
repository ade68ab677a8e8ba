package dev.contexture.crdt.internal.data;

import org.jspecify.annotations.Nullable;

/** A node of a {@link SplayTree}; subclasses add values and the sums over their subtree. */
public abstract class SplayNode<N extends SplayNode<N>> {
  @Nullable public N left;
  @Nullable public N right;
  @Nullable N parent;

  /** Computes the sums of this subtree from its own value and the sums of its children. */
  public abstract void pull();
}

package dev.contexture.crdt.internal.data;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * A sequence as a self-adjusting binary tree (Sleator and Tarjan, "Self-adjusting binary search
 * trees", 1985). Whatever is touched moves to the root, so that
 *  1. sums before a node are those of its left child after splay(node);
 *  2. edits near the last edit cost O(1), any other O(log n), amortised;
 *  3. changing a node means: splay it, change it, pull it.
 */
/** An ordered sequence of nodes with sums. Confined to one thread. */
public final class SplayTree<N extends SplayNode<N>> {
  private @Nullable N root;

  @Nullable
  public N root() {
    return root;
  }

  /** Makes an empty tree hold these nodes in their order, as low as it can be. */
  void fill(List<N> nodes) {
    root = balanced(nodes, 0, nodes.size());
  }

  private @Nullable N balanced(List<N> nodes, int from, int to) {
    if (from == to) {
      return null;
    }
    int middle = (from + to) >>> 1;
    N node = nodes.get(middle);
    node.left = balanced(nodes, from, middle);
    node.right = balanced(nodes, middle + 1, to);
    if (node.left != null) {
      node.left.parent = node;
    }
    if (node.right != null) {
      node.right.parent = node;
    }
    node.pull();
    return node;
  }

  /** Visits all nodes in order; moves none of them. */
  void forEach(Consumer<N> visitor) {
    N node = root;
    while (node != null && node.left != null) {
      node = node.left;
    }
    while (node != null) {
      visitor.accept(node);
      node = following(node);
    }
  }

  private @Nullable N following(N node) {
    N next = node.right;
    if (next != null) {
      while (next.left != null) {
        next = next.left;
      }
      return next;
    }
    N below = node;
    N above = node.parent;
    while (above != null && above.right == below) {
      below = above;
      above = above.parent;
    }
    return above;
  }

  @Nullable
  public N first() {
    N node = root;
    while (node != null && node.left != null) {
      node = node.left;
    }
    if (node != null) {
      splay(node);
    }
    return node;
  }

  /** The node after this one, which becomes the root. */
  @Nullable
  public N next(N node) {
    splay(node);
    N next = node.right;
    while (next != null && next.left != null) {
      next = next.left;
    }
    if (next != null) {
      splay(next);
    }
    return next;
  }

  /** Inserts behind {@code where}, or in front of everything. The new node becomes the root. */
  public void insertAfter(@Nullable N where, N node) {
    if (where == null) {
      node.right = root;
      if (root != null) {
        root.parent = node;
      }
    } else {
      splay(where);
      node.right = where.right;
      if (where.right != null) {
        where.right.parent = node;
      }
      where.right = null;
      where.pull();
      node.left = where;
      where.parent = node;
    }
    root = node;
    node.pull();
  }

  void remove(N node) {
    splay(node);
    N left = node.left;
    N right = node.right;
    node.left = null;
    node.right = null;
    if (right != null) {
      right.parent = null;
    }
    if (left == null) {
      root = right;
      return;
    }
    left.parent = null;
    root = left;
    N last = left;
    while (last.right != null) {
      last = last.right;
    }
    splay(last);
    last.right = right;
    if (right != null) {
      right.parent = last;
    }
    last.pull();
  }

  /** Moves a node of this tree to the root. */
  public void splay(N node) {
    N parent;
    while ((parent = node.parent) != null) {
      N grand = parent.parent;
      if (grand != null) {
        rotate((grand.left == parent) == (parent.left == node) ? parent : node);
      }
      rotate(node);
    }
    root = node;
  }

  private void rotate(N node) {
    N parent = node.parent;
    if (parent == null) {
      throw new IllegalStateException("the root cannot be rotated");
    }
    N grand = parent.parent;
    if (parent.left == node) {
      parent.left = node.right;
      if (node.right != null) {
        node.right.parent = parent;
      }
      node.right = parent;
    } else {
      parent.right = node.left;
      if (node.left != null) {
        node.left.parent = parent;
      }
      node.left = parent;
    }
    parent.parent = node;
    node.parent = grand;
    if (grand != null && grand.left == parent) {
      grand.left = node;
    } else if (grand != null) {
      grand.right = node;
    }
    parent.pull();
    node.pull();
  }
}

package dev.contexture.crdt;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of concurrent insertions by definition: a tree, as "The Art of the Fugue" describes
 * FugueMax, one node per character. Slow, and written without a look at the walker.
 */
final class FugueModel {
  record Id(long replica, int counter) {}

  private static final class Node {
    final Id id;
    final int character;
    final @Nullable Id rightOrigin;
    final List<Node> left = new ArrayList<>();
    final List<Node> right = new ArrayList<>();
    boolean deleted;

    Node(Id id, int character, @Nullable Id rightOrigin) {
      this.id = id;
      this.character = character;
      this.rightOrigin = rightOrigin;
    }
  }

  /** What replicas send one another. */
  sealed interface Message {
    record Insert(Id id, int character, Id parent, boolean leftChild, @Nullable Id rightOrigin)
        implements Message {}

    record Delete(Id target) implements Message {}
  }

  private static final Id ROOT = new Id(0, -1);

  private final Map<Id, Node> nodes = new HashMap<>();
  private final Node root = new Node(ROOT, 0, null);

  FugueModel() {
    nodes.put(ROOT, root);
  }

  Message insert(int position, int character, Id id) {
    List<Node> all = order();
    int index = indexOfVisible(all, position);
    Node leftOrigin = index < 0 ? root : all.get(index);
    Node rightOrigin = index + 1 < all.size() ? all.get(index + 1) : null;
    Id right = rightOrigin == null ? null : rightOrigin.id;
    Message.Insert message =
        leftOrigin.right.isEmpty() || right == null
            ? new Message.Insert(id, character, leftOrigin.id, false, right)
            : new Message.Insert(id, character, right, true, right);
    apply(message);
    return message;
  }

  Message delete(int position) {
    List<Node> visible = order().stream().filter(node -> !node.deleted).toList();
    Message message = new Message.Delete(visible.get(position).id);
    apply(message);
    return message;
  }

  void apply(Message message) {
    switch (message) {
      case Message.Insert insert -> {
        Node node = new Node(insert.id(), insert.character(), insert.rightOrigin());
        Node parent = node(insert.parent());
        List<Node> siblings = insert.leftChild() ? parent.left : parent.right;
        nodes.put(node.id, node);
        siblings.add(node);
        siblings.sort(insert.leftChild() ? byId() : byRightOrigin().thenComparing(byId()));
      }
      case Message.Delete delete -> node(delete.target()).deleted = true;
    }
  }

  private Node node(Id id) {
    return Objects.requireNonNull(nodes.get(id));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    order().stream().filter(node -> !node.deleted).forEach(n -> text.appendCodePoint(n.character));
    return text.toString();
  }

  private static Comparator<Node> byId() {
    return Comparator.<Node>comparingLong(node -> node.id.replica())
        .thenComparingInt(node -> node.id.counter());
  }

  /** Later right origins first; the end of the text is the latest. */
  private Comparator<Node> byRightOrigin() {
    List<Node> all = order();
    return Comparator.<Node>comparingInt(
            node ->
                node.rightOrigin == null
                    ? Integer.MAX_VALUE
                    : all.indexOf(nodes.get(node.rightOrigin)))
        .reversed();
  }

  /** Index of the visible character in front of a position, -1 for none. */
  private static int indexOfVisible(List<Node> all, int position) {
    int seen = 0;
    for (int i = 0; i < all.size() && seen <= position; i++) {
      if (!all.get(i).deleted) {
        seen++;
      }
      if (seen == position && !all.get(i).deleted) {
        return i;
      }
    }
    return -1;
  }

  private List<Node> order() {
    List<Node> all = new ArrayList<>();
    walk(root, all);
    all.remove(root);
    return all;
  }

  private static void walk(Node node, List<Node> into) {
    node.left.forEach(child -> walk(child, into));
    into.add(node);
    node.right.forEach(child -> walk(child, into));
  }
}

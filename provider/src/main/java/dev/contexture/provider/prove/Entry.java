package dev.contexture.provider.prove;

import java.util.List;

/**
 * One message of a body; on Responses all items in a row that one side made. Immutable.
 *
 * @param role who speaks
 * @param pointer where it is
 * @param items in the order of the wire
 * @param reasoning whether it has a member for reasoning
 */
record Entry(Role role, String pointer, List<Item> items, boolean reasoning) {
  /** Who speaks. */
  enum Role {
    USER,
    ASSISTANT,
    /** A result that is a message of its own. */
    TOOL,
    /** Instructions, at the start or in between. */
    SYSTEM
  }

  Entry {
    items = List.copyOf(items);
  }

  boolean is(Role asked) {
    return role == asked;
  }

  List<Item> all(Item.Kind kind) {
    return items.stream().filter(item -> item.is(kind)).toList();
  }

  boolean has(Item.Kind kind) {
    return items.stream().anyMatch(item -> item.is(kind));
  }

  Entry at(String base) {
    return new Entry(role, base, items.stream().map(item -> item.at(base)).toList(), reasoning);
  }
}

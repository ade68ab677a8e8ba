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
record BodyMessage(Role role, String pointer, List<BodyPart> items, boolean reasoning) {
  /** Who speaks. */
  enum Role {
    USER,
    ASSISTANT,
    /** A result that is a message of its own. */
    TOOL,
    /** Instructions, at the start or in between. */
    SYSTEM
  }

  BodyMessage {
    items = List.copyOf(items);
  }

  boolean is(Role asked) {
    return role == asked;
  }

  List<BodyPart> all(BodyPart.Kind kind) {
    return items.stream().filter(item -> item.is(kind)).toList();
  }

  boolean has(BodyPart.Kind kind) {
    return items.stream().anyMatch(item -> item.is(kind));
  }

  BodyMessage at(String base) {
    return new BodyMessage(
        role, base, items.stream().map(item -> item.at(base)).toList(), reasoning);
  }
}

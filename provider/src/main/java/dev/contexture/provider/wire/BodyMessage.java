package dev.contexture.provider.wire;

import java.util.List;
import org.apiguardian.api.API;

/**
 * One message of a body; on Responses all items in a row that one side made. Immutable.
 *
 * @param role who speaks
 * @param pointer where it is
 * @param items in the order of the wire
 * @param reasoning whether it has a member for reasoning
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BodyMessage(Role role, String pointer, List<BodyPart> items, boolean reasoning) {
  /** The speaker of a message. */
  public enum Role {
    USER,
    ASSISTANT,
    /** A result that is a message of its own. */
    TOOL,
    /** Instructions, at the start or in between. */
    SYSTEM
  }

  public BodyMessage {
    items = List.copyOf(items);
  }

  public boolean is(Role asked) {
    return role == asked;
  }

  public List<BodyPart> all(BodyPart.Kind kind) {
    return items.stream().filter(item -> item.is(kind)).toList();
  }

  public boolean has(BodyPart.Kind kind) {
    return items.stream().anyMatch(item -> item.is(kind));
  }

  public BodyMessage at(String base) {
    return new BodyMessage(
        role, base, items.stream().map(item -> item.at(base)).toList(), reasoning);
  }
}

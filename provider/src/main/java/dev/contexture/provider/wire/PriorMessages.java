package dev.contexture.provider.wire;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Facts about the messages before those in view, as far as rules need them: they were found to be
 * in order. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PriorMessages {
  private final Set<String> callIds = new HashSet<>();
  private final Map<String, Integer> serverCalls = new HashMap<>(); // by id, less their results
  private int messages;
  private int calls;
  private int marks;
  private int shortMarks;

  /** How many messages it stands for. */
  public int messages() {
    return messages;
  }

  /** Whether the messages in view are not the first. */
  public boolean any() {
    return messages > 0;
  }

  public boolean hasCalls() {
    return calls > 0;
  }

  public boolean hasCall(String id) {
    return callIds.contains(id);
  }

  /** Calls of tools that the provider runs, those that have no result among these messages. */
  public Set<String> openCalls() {
    return serverCalls.keySet();
  }

  public int marks() {
    return marks;
  }

  /** Whether a mark asks for the shorter life. */
  public boolean hasShortMark() {
    return shortMarks > 0;
  }

  /** Stands for as many of these messages from now on. */
  public void moveTo(int count, List<BodyMessage> all) {
    while (messages < count) {
      all.get(messages++).items().forEach(item -> count(item, 1));
    }
    while (messages > count) {
      all.get(--messages).items().forEach(item -> count(item, -1));
    }
  }

  private void count(BodyPart item, int by) {
    if (item.is(BodyPart.Kind.CALL)) {
      calls += by;
      if (item.id() != null && by > 0) {
        callIds.add(item.id());
      } else if (item.id() != null) {
        callIds.remove(item.id());
      }
    }
    boolean calls = item.is(BodyPart.Kind.SERVER_CALL);
    if (item.id() != null && (calls || item.is(BodyPart.Kind.SERVER_RESULT))) {
      serverCalls.merge(item.id(), calls ? by : -by, (a, b) -> a + b == 0 ? null : a + b);
    }
    if (item.mark() != null) {
      marks += by;
      shortMarks += Objects.equals(item.mark(), "5m") ? by : 0;
    }
    item.nested().forEach(inner -> count(inner, by));
  }
}

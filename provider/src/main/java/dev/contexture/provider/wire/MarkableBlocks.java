package dev.contexture.provider.wire;

import dev.contexture.request.RequestBlock;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The blocks of a body in the order of the wire, as far as marks care. Confined to one thread.
 *
 * <p>A call group is the span from its first call to its last result; no mark may split it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MarkableBlocks {
  /** The role of a block in its call group. */
  public enum Kind {
    CALL,
    RESULT,
    OTHER
  }

  /**
   * The place of a block on the wire.
   *
   * @param markable whether the provider takes a mark here
   * @param message index of its message, -1 for the system
   * @param content its index there
   */
  public record Place(boolean markable, int message, int content) {}

  /**
   * The call groups between two messages.
   *
   * @param count how many groups there are
   * @param end the last block of the last one
   */
  public record Groups(int count, int end, boolean inCalls) {}

  private final List<Place> places = new ArrayList<>();
  private final List<RequestBlock> blocks = new ArrayList<>();
  private final List<int[]> groups = new ArrayList<>(); // first call, last result
  private boolean inCalls; // a call came, and no result since
  private int firstVolatile = Integer.MAX_VALUE;

  public void add(Kind kind, Place place, RequestBlock block) {
    int index = blocks.size();
    if (kind == Kind.CALL && !inCalls) {
      groups.add(new int[] {index, index});
    } else if (kind != Kind.OTHER && !groups.isEmpty()) {
      groups.getLast()[1] = index;
    }
    inCalls = kind == Kind.CALL || (inCalls && kind == Kind.OTHER);
    places.add(place);
    blocks.add(block);
  }

  public Groups groups() {
    return new Groups(groups.size(), groups.isEmpty() ? 0 : groups.getLast()[1], inCalls);
  }

  /** Begins with blocks of another body. */
  public void begin(
      List<RequestBlock> others, List<Place> theirPlaces, List<int[]> all, Groups stop) {
    blocks.addAll(others);
    places.addAll(theirPlaces);
    groups.addAll(all.subList(0, stop.count));
    if (!groups.isEmpty()) {
      groups.add(new int[] {groups.removeLast()[0], stop.end});
    }
    inCalls = stop.inCalls;
  }

  public List<int[]> allGroups() {
    return groups;
  }

  public List<Place> places() {
    return places;
  }

  public int size() {
    return blocks.size();
  }

  public RequestBlock get(int index) {
    return blocks.get(index);
  }

  public Place place(int index) {
    return places.get(index);
  }

  /** All of them, in order. */
  public List<RequestBlock> all() {
    return blocks;
  }

  /** Everything from here on is not repeated by the next request. */
  public void volatileFromHere() {
    firstVolatile = Math.min(firstVolatile, blocks.size());
  }

  /** The nearest block at or before this one that may be marked; -1 if there is none. */
  public int markableAtOrBefore(int index) {
    int at = Math.min(index, firstVolatile - 1);
    for (; at >= 0; at--) {
      at = beforeGroup(at);
      if (at >= 0 && places.get(at).markable()) {
        return at;
      }
    }
    return -1;
  }

  /** The block itself, or the one before the group that a mark on it would split. */
  private int beforeGroup(int index) {
    for (int i = groups.size() - 1; i >= 0; i--) {
      int[] group = groups.get(i);
      if (index >= group[0]) {
        return index < group[1] ? group[0] - 1 : index;
      }
    }
    return index;
  }
}

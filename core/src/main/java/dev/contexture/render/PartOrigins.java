package dev.contexture.render;

import dev.contexture.view.StreamItem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A map from the parts of messages to the blocks of the stream that they come from. A block that
 * became several parts counts with the last of them. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PartOrigins {
  /** Knows none. */
  public static final PartOrigins NONE = new PartOrigins(List.of(), new long[0]);

  private static final int ITEM_BITS = 22;
  private static final int PART_BITS = 20;
  private static final long ITEM_MASK = (1L << ITEM_BITS) - 1;

  private final List<StreamItem> items;
  private final long[] places; // message, part, item; sorted

  private PartOrigins(List<StreamItem> items, long[] places) {
    this.items = items;
    this.places = places;
  }

  /**
   * Takes a layout over.
   *
   * @param messageOf by item: the message of its last part; -1: it became none
   * @param partOf by item: that part
   */
  static PartOrigins of(List<StreamItem> items, int[] messageOf, int[] partOf) {
    long[] places = new long[items.size()];
    int count = 0;
    for (int i = 0; i < items.size(); i++) {
      if (messageOf[i] >= 0) {
        places[count++] = key(messageOf[i], partOf[i]) | i;
      }
    }
    Arrays.sort(places, 0, count); // almost in order already
    return new PartOrigins(items, count == places.length ? places : Arrays.copyOf(places, count));
  }

  private static long key(int message, int part) {
    return ((long) message << (PART_BITS + ITEM_BITS)) | ((long) part << ITEM_BITS);
  }

  /** The block that a part comes from; empty for the tail and fillers. */
  public Optional<StreamItem> item(int message, int part) {
    int at = firstAtOrBehind(message, part);
    if (at == places.length || places[at] >> (PART_BITS + ITEM_BITS) != message) {
      return Optional.empty();
    }
    return Optional.of(items.get((int) (places[at] & ITEM_MASK)));
  }

  /** The tokens of the blocks that end with a part. */
  public long tokens(int message, int part) {
    long tokens = 0;
    for (int at = firstAtOrBehind(message, part);
        at < places.length && places[at] < key(message, part + 1);
        at++) {
      tokens += items.get((int) (places[at] & ITEM_MASK)).cost();
    }
    return tokens;
  }

  /** Tells which block ends with which part, in order. */
  public void forEach(Visitor visitor) {
    for (long place : places) {
      int part = (int) (place >> ITEM_BITS) & ((1 << PART_BITS) - 1);
      int message = (int) (place >> (PART_BITS + ITEM_BITS));
      visitor.visit(message, part, items.get((int) (place & ITEM_MASK)));
    }
  }

  /** Hears of the last part of a block. */
  @FunctionalInterface
  public interface Visitor {
    void visit(int message, int part, StreamItem item);
  }

  private int firstAtOrBehind(int message, int part) {
    int found = Arrays.binarySearch(places, key(message, part));
    return found < 0 ? -found - 1 : found;
  }
}

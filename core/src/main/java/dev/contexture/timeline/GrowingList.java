package dev.contexture.timeline;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.apiguardian.api.API;

/**
 * An immutable list that grows at its end: the next list shares all full chunks with the one before
 * it.
 *
 * <p>Elements lie in chunks of 256. Appending copies the last chunk and the array of chunks: for
 * 20,000 elements about 330 references, never the elements themselves. Two lists of which one grew
 * from the other are compared by their chunks.
 */
@API(status = API.Status.INTERNAL)
public final class GrowingList<E> extends AbstractList<E> implements RandomAccess {
  private static final GrowingList<Object> EMPTY = new GrowingList<>(new Object[0][], 0);
  private static final int BITS = 8;
  private static final int CHUNK = 1 << BITS;
  private static final int MASK = CHUNK - 1;

  private final Object[][] chunks; // the last one may hold more than belongs to this list
  private final int size;

  private GrowingList(Object[][] chunks, int size) {
    this.chunks = chunks;
    this.size = size;
  }

  @SuppressWarnings("unchecked") // it holds no element
  public static <E> GrowingList<E> empty() {
    return (GrowingList<E>) EMPTY;
  }

  /** The list itself if it is one that never changes, else a copy. */
  public static <E> List<E> immutable(List<E> list) {
    return list instanceof GrowingList<E> ? list : List.copyOf(list);
  }

  public GrowingList<E> append(E element) {
    int last = size >> BITS;
    boolean full = last == chunks.length;
    Object[][] next = Arrays.copyOf(chunks, full ? last + 1 : chunks.length);
    Object[] tail = full ? new Object[1] : Arrays.copyOf(next[last], (size & MASK) + 1);
    tail[size & MASK] = element;
    next[last] = tail;
    return new GrowingList<>(next, size + 1);
  }

  /** The list of the elements before an index. */
  public GrowingList<E> first(int length) {
    if (length == size) {
      return this;
    }
    if (length < 0 || length > size) {
      throw new IndexOutOfBoundsException("length " + length + " of " + size);
    }
    return new GrowingList<>(Arrays.copyOf(chunks, (length + MASK) >> BITS), length);
  }

  /**
   * The first index from a given one on at which two lists do not hold the same object, or at which
   * the shorter one ends. Chunks that they share are not looked into.
   */
  public int firstDifference(GrowingList<E> other, int from) {
    int end = Math.min(size, other.size);
    int at = from;
    while (at < end) {
      Object[] mine = chunks[at >> BITS];
      Object[] theirs = other.chunks[at >> BITS];
      int next = Math.min(end, (at | MASK) + 1);
      while (mine != theirs && at < next && mine[at & MASK] == theirs[at & MASK]) {
        at++;
      }
      if (mine != theirs && at < next) {
        return at;
      }
      at = next;
    }
    return end;
  }

  @Override
  @SuppressWarnings("unchecked") // only elements were put in
  public E get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("element " + index + " of " + size);
    }
    return (E) chunks[index >> BITS][index & MASK];
  }

  @Override
  public int size() {
    return size;
  }
}

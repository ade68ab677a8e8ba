package dev.contexture.timeline;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;

/**
 * An immutable list of entries whose append shares all full chunks with the list before it.
 *
 * <p>Entries lie in chunks of 256. Appending copies the last chunk and the array of chunks: for
 * 20,000 entries about 330 references, never the entries themselves.
 */
final class EntryLog extends AbstractList<Entry> implements RandomAccess {
  static final EntryLog EMPTY = new EntryLog(new Entry[0][], 0);

  private static final int BITS = 8;
  private static final int CHUNK = 1 << BITS;
  private static final int MASK = CHUNK - 1;

  private final Entry[][] chunks;
  private final int size;

  private EntryLog(Entry[][] chunks, int size) {
    this.chunks = chunks;
    this.size = size;
  }

  EntryLog append(Entry entry) {
    int last = size >> BITS;
    boolean full = last == chunks.length;
    Entry[][] next = Arrays.copyOf(chunks, full ? last + 1 : chunks.length);
    Entry[] tail = full ? new Entry[1] : Arrays.copyOf(next[last], (size & MASK) + 1);
    tail[size & MASK] = entry;
    next[last] = tail;
    return new EntryLog(next, size + 1);
  }

  @Override
  public Entry get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("entry " + index + " of " + size);
    }
    return chunks[index >> BITS][index & MASK];
  }

  @Override
  public int size() {
    return size;
  }
}

package dev.contexture.crdt.internal.data;

import dev.contexture.crdt.CrdtException;
import java.util.Arrays;

/*
 * Finds text that was inserted before, however long ago: whoever rewrites or moves a passage inserts
 * it again, and deflate only looks back 32 KiB.
 *  1. Every 32nd position is remembered by a hash of the 32 bytes from there on.
 *  2. A rolling hash of the 32 bytes at each position is looked up; a hit is compared byte by byte
 *     and extended in both directions.
 *  3. The result is a list of (literals before, length, distance), and the literals.
 * Bounds: O(n) time, n/4 bytes of memory while packing.
 */
/** Replaces repeated stretches of a text by references. */
public final class LongRange {
  private static final int BLOCK = 32;
  private static final int MIN_BYTES = 256;
  private static final int PRIME = 0x01000193;

  private final byte[] text;
  private final int size;
  private final int[] table;
  private final Bytes copies = new Bytes();
  private final Bytes literals;
  private int indexed;
  private int literalFrom;

  private LongRange(Bytes text) {
    this.text = text.array();
    this.size = text.size();
    this.table = new int[Math.max(16, Integer.highestOneBit(size / BLOCK + 1) * 4)];
    this.literals = new Bytes(size / 2 + 16);
  }

  /** Writes a block of references and then, to the end, the literals. */
  public static void write(Bytes text, Bytes out) {
    if (text.size() < MIN_BYTES) {
      out.addUnsigned(0);
      out.add(text);
      return;
    }
    LongRange packing = new LongRange(text);
    packing.scan();
    out.addBlock(packing.copies);
    out.add(packing.literals);
  }

  private void scan() {
    int top = 1;
    for (int i = 1; i < BLOCK; i++) {
      top *= PRIME;
    }
    int at = 0;
    int hash = size >= BLOCK ? hash(0) : 0;
    while (at + BLOCK <= size) {
      int length = copyAt(at, hash);
      if (length > 0) {
        at += length;
        literalFrom = at;
        hash = at + BLOCK <= size ? hash(at) : 0;
      } else {
        if (at + BLOCK < size) {
          hash = (hash - text[at] * top) * PRIME + text[at + BLOCK];
        }
        at++;
      }
      index(at);
    }
    literals.add(text, literalFrom, size - literalFrom);
  }

  /** Writes a reference if what follows stood before; returns how much it covers from here on. */
  private int copyAt(int at, int hash) {
    int from = table[slot(hash)] - 1;
    if (from < 0 || !Arrays.equals(text, from, from + BLOCK, text, at, at + BLOCK)) {
      return 0;
    }
    int end = at + BLOCK;
    while (end < size && text[from + end - at] == text[end]) {
      end++;
    }
    int start = at;
    while (start > literalFrom
        && from > at - start
        && text[from - (at - start) - 1] == text[start - 1]) {
      start--;
    }
    literals.add(text, literalFrom, start - literalFrom);
    copies.addUnsigned(start - literalFrom);
    copies.addUnsigned(end - start);
    copies.addUnsigned(at - from);
    return end - at;
  }

  private void index(int end) {
    while (indexed + BLOCK <= end) {
      table[slot(hash(indexed))] = indexed + 1;
      indexed += BLOCK;
    }
  }

  private int hash(int from) {
    int hash = 0;
    for (int i = from; i < from + BLOCK; i++) {
      hash = hash * PRIME + text[i];
    }
    return hash;
  }

  private int slot(int hash) {
    int mixed = (hash ^ (hash >>> 15)) * 0x2c1b3c6d;
    return (mixed >>> 8) & (table.length - 1);
  }

  /** Reads what {@link #write} wrote, to the end; at most {@code maxBytes} are reserved. */
  public static byte[] read(ByteReader in, int maxBytes) {
    ByteReader copies = in.block("references");
    if (copies.atEnd()) {
      return in.rest();
    }
    Bytes text = new Bytes(in.remaining());
    while (!copies.atEnd()) {
      int literal = copies.bounded(in.remaining(), "number of literals");
      text.add(in.source(), in.skip(literal), literal);
      int length = copies.bounded(maxBytes - text.size(), "length of a reference");
      int distance = copies.bounded(text.size(), "distance of a reference");
      if (distance == 0) {
        throw CrdtException.corrupt("a reference has no distance");
      }
      text.repeat(distance, length);
    }
    text.add(in.rest());
    return text.toArray();
  }
}

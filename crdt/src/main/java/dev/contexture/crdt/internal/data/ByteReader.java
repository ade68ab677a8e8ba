package dev.contexture.crdt.internal.data;

import dev.contexture.crdt.CrdtException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the primitive encodings of the format from a slice of bytes. Confined to one thread.
 *
 * <p>Every failure is {@code CORRUPT_DATA}; nothing is allocated before the bytes that fill it are
 * known to be there.
 */
public final class ByteReader {
  private final byte[] items;
  private final int end;
  private int position;

  public ByteReader(byte[] items) {
    this(items, 0, items.length);
  }

  public ByteReader(byte[] items, int from, int end) {
    this.items = items;
    this.position = from;
    this.end = end;
  }

  public boolean atEnd() {
    return position == end;
  }

  public int remaining() {
    return end - position;
  }

  public int position() {
    return position;
  }

  public int next() {
    if (position == end) {
      throw CrdtException.corrupt("they end at byte " + end + " where more was announced");
    }
    return items[position++] & 0xff;
  }

  public long unsigned() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = next();
      if (shift == 63 && b > 1) {
        break;
      }
      value |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw CrdtException.corrupt("a number at byte " + position + " has more than 64 bits");
  }

  public long signed() {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number from 0 to {@code max}. */
  public int bounded(int max, String what) {
    long value = unsigned();
    if (value < 0 || value > max) {
      throw CrdtException.corrupt(
          what + " is " + Long.toUnsignedString(value) + ", at most " + max + " is possible here");
    }
    return (int) value;
  }

  /** A number of things that take at least one byte each. */
  public int count(String what) {
    return present("number of " + what);
  }

  private int present(String what) {
    int value = bounded(Integer.MAX_VALUE, what);
    if (value > remaining()) {
      throw CrdtException.corrupt(what + " is " + value + ", but " + remaining() + " bytes follow");
    }
    return value;
  }

  public ByteReader block(String what) {
    int length = present("length of " + what);
    position += length;
    return new ByteReader(items, position - length, position);
  }

  public byte[] rest() {
    byte[] copy = Arrays.copyOfRange(items, position, end);
    position = end;
    return copy;
  }

  public String text(String what) {
    ByteReader block = block(what);
    return decode(block.items, block.position, block.remaining(), what);
  }

  /** Steps over {@code length} bytes and returns where they begin. */
  public int skip(int length) {
    if (length < 0 || length > remaining()) {
      throw CrdtException.corrupt("they end at byte " + end + " inside a text");
    }
    position += length;
    return position - length;
  }

  public byte[] source() {
    return items;
  }

  public void expectEnd(String what) {
    if (position != end) {
      throw CrdtException.corrupt(what + " has " + remaining() + " bytes too many");
    }
  }

  /** Strict UTF-8. */
  public static String decode(byte[] items, int from, int length, String what) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(items, from, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw CrdtException.corrupt(what + " is not UTF-8");
    }
  }
}

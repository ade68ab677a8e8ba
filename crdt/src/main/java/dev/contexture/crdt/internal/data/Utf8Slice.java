package dev.contexture.crdt.internal.data;

/** A part of an array that holds valid UTF-8. The array is shared, not copied. */
public final class Utf8Slice {
  private final byte[] bytes;
  private final int from;
  private final int size;
  private final int codePoints;

  public Utf8Slice(byte[] bytes, int from, int size, int codePoints) {
    this.bytes = bytes;
    this.from = from;
    this.size = size;
    this.codePoints = codePoints;
  }

  public static Utf8Slice of(String text) {
    byte[] bytes = Utf8.encode(text);
    return new Utf8Slice(bytes, 0, bytes.length, Utf8.count(bytes, 0, bytes.length));
  }

  public byte[] bytes() {
    return bytes;
  }

  public int from() {
    return from;
  }

  public int size() {
    return size;
  }

  public int codePoints() {
    return codePoints;
  }
}

package dev.contexture.crdt.internal.data;

/** Packed bytes that nobody changes. Immutable by convention: the array is shared, not copied. */
public final class PackedBytes {
  public static final PackedBytes EMPTY = new PackedBytes(new byte[0]);

  private final byte[] bytes;

  public PackedBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int size() {
    return bytes.length;
  }
}

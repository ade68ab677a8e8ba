package dev.contexture.crdt.internal;

/** Packed bytes that nobody changes. Immutable by convention: the array is shared, not copied. */
final class PackedBytes {
  static final PackedBytes EMPTY = new PackedBytes(new byte[0]);

  private final byte[] bytes;

  PackedBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return bytes.length;
  }
}

package dev.contexture.crdt.internal;

/** Packed bytes that nobody changes. Immutable by convention: the array is shared, not copied. */
final class Block {
  static final Block EMPTY = new Block(new byte[0]);

  private final byte[] bytes;

  Block(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return bytes.length;
  }
}

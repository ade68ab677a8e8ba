package dev.contexture.crdt.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing byte array with the primitive encodings of the format. Confined to one thread. */
final class Bytes {
  private byte[] items;
  private int size;

  Bytes() {
    this(64);
  }

  Bytes(int capacity) {
    items = new byte[capacity];
  }

  int size() {
    return size;
  }

  byte[] array() {
    return items;
  }

  byte[] toArray() {
    return Arrays.copyOf(items, size);
  }

  void add(int value) {
    reserve(1);
    items[size++] = (byte) value;
  }

  void add(byte[] source) {
    add(source, 0, source.length);
  }

  void add(byte[] source, int from, int length) {
    reserve(length);
    System.arraycopy(source, from, items, size, length);
    size += length;
  }

  void add(Bytes other) {
    add(other.items, 0, other.size);
  }

  /** Unsigned LEB128; the value counts as unsigned 64 bits. */
  void addUnsigned(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      add((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    add((int) rest);
  }

  /** Zigzag, so that small negative numbers are short too. */
  void addSigned(long value) {
    addUnsigned((value << 1) ^ (value >> 63));
  }

  void addText(String text) {
    addBlock(text.getBytes(StandardCharsets.UTF_8));
  }

  void addBlock(byte[] block) {
    addUnsigned(block.length);
    add(block);
  }

  void addBlock(PackedBytes block) {
    addBlock(block.bytes());
  }

  void addBlock(Bytes block) {
    addUnsigned(block.size);
    add(block);
  }

  /** Adds {@code length} bytes that stand {@code distance} before the end, new ones included. */
  void repeat(int distance, int length) {
    reserve(length);
    for (int i = 0; i < length; i++) {
      items[size] = items[size - distance];
      size++;
    }
  }

  private void reserve(int more) {
    if (more > items.length - size) {
      int wanted = Math.addExact(size, more);
      items = Arrays.copyOf(items, Math.max(wanted, (int) Math.min(size * 3L / 2, 1 << 30)));
    }
  }
}

package dev.contexture.crdt.internal.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing byte array with the primitive encodings of the format. Confined to one thread. */
public final class Bytes {
  private byte[] items;
  private int size;

  public Bytes() {
    this(64);
  }

  public Bytes(int capacity) {
    items = new byte[capacity];
  }

  public Bytes copy() {
    Bytes copy = new Bytes(0);
    copy.items = items.clone();
    copy.size = size;
    return copy;
  }

  public int size() {
    return size;
  }

  public byte[] array() {
    return items;
  }

  byte[] toArray() {
    return Arrays.copyOf(items, size);
  }

  public void add(int value) {
    reserve(1);
    items[size++] = (byte) value;
  }

  public void add(byte[] source) {
    add(source, 0, source.length);
  }

  public void add(byte[] source, int from, int length) {
    reserve(length);
    System.arraycopy(source, from, items, size, length);
    size += length;
  }

  public void add(Bytes other) {
    add(other.items, 0, other.size);
  }

  /** Unsigned LEB128; the value counts as unsigned 64 bits. */
  public void addUnsigned(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      add((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    add((int) rest);
  }

  /** Zigzag, so that small negative numbers are short too. */
  public void addSigned(long value) {
    addUnsigned((value << 1) ^ (value >> 63));
  }

  public void addText(String text) {
    addBlock(text.getBytes(StandardCharsets.UTF_8));
  }

  public void addBlock(byte[] block) {
    addUnsigned(block.length);
    add(block);
  }

  public void addBlock(PackedBytes block) {
    addBlock(block.bytes());
  }

  public void addBlock(Bytes block) {
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

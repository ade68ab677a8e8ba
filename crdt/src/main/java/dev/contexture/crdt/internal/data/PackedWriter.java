package dev.contexture.crdt.internal.data;

import dev.contexture.crdt.CrdtException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Blocks that are deflated where that makes them smaller. */
public final class PackedWriter {
  private static final int RAW = 0;
  private static final int DEFLATED = 1;
  private static final int MIN_BYTES = 256;

  /** Deflate cannot shrink anything by more than this factor. */
  private static final int MAX_RATIO = 1032;

  private PackedWriter() {}

  public static PackedBytes pack(Bytes raw) {
    Bytes packed = new Bytes(raw.size() / 2 + 16);
    if (raw.size() >= MIN_BYTES) {
      packed.add(DEFLATED);
      packed.addUnsigned(raw.size());
      deflate(raw, packed);
      if (packed.size() <= raw.size()) {
        return new PackedBytes(packed.toArray());
      }
    }
    Bytes plain = new Bytes(raw.size() + 1);
    plain.add(RAW);
    plain.add(raw);
    return new PackedBytes(plain.toArray());
  }

  /** The block as it was before packing; at most {@code maxBytes} are ever reserved. */
  public static ByteReader unpack(PackedBytes block, int maxBytes) {
    byte[] packed = block.bytes();
    ByteReader in = new ByteReader(packed);
    int how = in.next();
    if (how == RAW) {
      return new ByteReader(packed, in.position(), packed.length);
    }
    if (how != DEFLATED) {
      throw CrdtException.corrupt("a block is packed in the unknown way " + how);
    }
    long possible = Math.min(maxBytes, (long) MAX_RATIO * in.remaining());
    int size = in.bounded((int) possible, "unpacked size of a block");
    return new ByteReader(inflate(packed, in.position(), size));
  }

  private static void deflate(Bytes raw, Bytes packed) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(raw.array(), 0, raw.size());
      deflater.finish();
      byte[] buffer = new byte[8192];
      while (!deflater.finished()) {
        packed.add(buffer, 0, deflater.deflate(buffer));
      }
    } finally {
      deflater.end();
    }
  }

  private static byte[] inflate(byte[] packed, int from, int size) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(packed, from, packed.length - from);
      byte[] raw = new byte[size];
      int done = 0;
      while (done < size) {
        int count = inflater.inflate(raw, done, size - done);
        if (count == 0) {
          throw CrdtException.corrupt("a block unpacks to " + done + " bytes, not " + size);
        }
        done += count;
      }
      if (inflater.inflate(new byte[1]) != 0 || !inflater.finished()) {
        throw CrdtException.corrupt("a block unpacks to more than " + size + " bytes");
      }
      return raw;
    } catch (DataFormatException e) {
      throw CrdtException.corrupt("a block cannot be unpacked");
    } finally {
      inflater.end();
    }
  }
}

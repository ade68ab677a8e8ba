package dev.contexture.crdt.internal.data;

import dev.contexture.crdt.CrdtErrorCode;
import dev.contexture.crdt.CrdtException;
import java.util.zip.CRC32C;

/** The outside of every encoded document or delta; docs/formats/crdt.md has the bytes. */
public record Envelope(Kind kind, ByteReader payload) {
  /** The kind of the payload. Its codes are part of the format. */
  public enum Kind {
    SNAPSHOT(0),
    DELTA(1);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private static final byte[] MAGIC = {0x43, 0x54, 0x58, 0x44};
  private static final int FORMAT = 1;
  private static final int CHECKSUM_BYTES = 4;

  public static byte[] write(Kind kind, Bytes payload) {
    Bytes out = new Bytes(payload.size() + 20);
    out.add(MAGIC);
    out.add(FORMAT);
    out.add(kind.code);
    out.addBlock(payload);
    int checksum = checksum(out.array(), out.size());
    for (int i = 0; i < CHECKSUM_BYTES; i++) {
      out.add(checksum >>> (8 * i));
    }
    return out.toArray();
  }

  /** Checks, in this order: magic, version, kind and length, checksum. */
  public static Envelope read(byte[] encoded, int maxBytes) {
    if (encoded.length > maxBytes) {
      throw CrdtException.limit("size of the encoded document", encoded.length, maxBytes);
    }
    ByteReader in = new ByteReader(encoded);
    for (byte expected : MAGIC) {
      if (in.next() != expected) {
        throw CrdtException.corrupt("they do not begin with 43 54 58 44");
      }
    }
    int format = in.next();
    if (format != FORMAT) {
      throw new CrdtException(
          CrdtErrorCode.UNSUPPORTED_FORMAT,
          "document bytes have format version " + format + "; supported: " + FORMAT);
    }
    int kind = in.next();
    if (kind > 1) {
      throw CrdtException.corrupt("kind is " + kind + ", known are 0 and 1");
    }
    long length = in.unsigned();
    if (length != in.remaining() - CHECKSUM_BYTES) {
      throw CrdtException.corrupt(
          "payload length is "
              + Long.toUnsignedString(length)
              + ", but "
              + (in.remaining() - CHECKSUM_BYTES)
              + " bytes are there");
    }
    int end = encoded.length - CHECKSUM_BYTES;
    ByteReader tail = new ByteReader(encoded, end, encoded.length);
    int stored = 0;
    for (int i = 0; i < CHECKSUM_BYTES; i++) {
      stored |= tail.next() << (8 * i);
    }
    if (stored != checksum(encoded, end)) {
      throw CrdtException.corrupt("the checksum does not match");
    }
    return new Envelope(
        kind == 0 ? Kind.SNAPSHOT : Kind.DELTA, new ByteReader(encoded, in.position(), end));
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}

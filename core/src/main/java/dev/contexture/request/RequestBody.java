package dev.contexture.request;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The exact bytes of a request: JSON in UTF-8. They are kept in the pieces in which they were
 * encoded, which requests of one conversation share. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RequestBody {
  private final byte[][] pieces;
  private final int sizeBytes;

  private RequestBody(byte[][] pieces, int sizeBytes) {
    this.pieces = pieces;
    this.sizeBytes = sizeBytes;
  }

  /** A body of these pieces, in this order. They must not be changed any more. */
  public static RequestBody of(List<byte[]> pieces) {
    byte[][] all = pieces.toArray(byte[][]::new);
    int size = 0;
    for (byte[] piece : all) {
      size = Math.addExact(size, piece.length);
    }
    return new RequestBody(all, size);
  }

  /** The same body with other pieces in some places. */
  public RequestBody with(Map<Integer, byte[]> others) {
    byte[][] changed = pieces.clone();
    int size = sizeBytes;
    for (Map.Entry<Integer, byte[]> other : others.entrySet()) {
      size = Math.addExact(size, other.getValue().length - changed[other.getKey()].length);
      changed[other.getKey()] = other.getValue();
    }
    return new RequestBody(changed, size);
  }

  public int sizeBytes() {
    return sizeBytes;
  }

  /** All bytes, in a new array. */
  public byte[] bytes() {
    byte[] all = new byte[sizeBytes];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }

  /** The size of a block of this body. */
  public int sizeBytes(RequestBlock.Span span) {
    int size = 0;
    for (int i = span.own(); i <= span.close(); i++) {
      size += pieces[i].length;
    }
    return size;
  }

  /** The bytes of a block without its mark, in a new array. */
  public byte[] content(RequestBlock.Span span) {
    byte[] open = bytes(span.own(), span.close());
    byte[] whole = Arrays.copyOf(open, open.length + 1);
    whole[open.length] = '}';
    return whole;
  }

  /** The bytes of some pieces, in a new array. */
  public byte[] bytes(int from, int to) {
    return of(Arrays.asList(pieces).subList(from, to)).bytes();
  }

  /** Whether some pieces together are these bytes. */
  boolean isSame(int from, int to, byte[] bytes) {
    int at = 0;
    for (int i = from; i < to; i++) {
      byte[] piece = pieces[i];
      int end = at + piece.length;
      if (end > bytes.length || !Arrays.equals(piece, 0, piece.length, bytes, at, end)) {
        return false;
      }
      at = end;
    }
    return at == bytes.length;
  }

  /** The pieces themselves, shared: nobody changes them. */
  public List<byte[]> pieces() {
    return Collections.unmodifiableList(Arrays.asList(pieces));
  }

  /** The JSON text. */
  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /** The bytes piece by piece, without copying them. */
  public List<ByteBuffer> buffers() {
    return Arrays.stream(pieces).map(piece -> ByteBuffer.wrap(piece).asReadOnlyBuffer()).toList();
  }

  public void writeTo(OutputStream out) throws IOException {
    for (byte[] piece : pieces) {
      out.write(piece);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestBody body
        && sizeBytes == body.sizeBytes
        && Arrays.equals(bytes(), body.bytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes());
  }

  @Override
  public String toString() {
    return "RequestBody[" + sizeBytes + " bytes]";
  }
}

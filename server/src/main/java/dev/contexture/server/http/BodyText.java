package dev.contexture.server.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Makes text of the bytes of a body. */
final class BodyText {
  private static final int PIECE_CHARS = 64 << 10;

  private BodyText() {}

  /**
   * The text of a body. Its bytes are checked piece by piece, so that a large one is not held twice
   * more.
   *
   * @throws CharacterCodingException if it is not UTF-8
   */
  static String of(byte[] body) throws CharacterCodingException {
    if (isAscii(body)) {
      return new String(body, StandardCharsets.ISO_8859_1);
    }
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer piece = CharBuffer.allocate(Math.min(PIECE_CHARS, body.length));
    ByteBuffer bytes = ByteBuffer.wrap(body);
    for (CoderResult more = decoder.decode(bytes, piece, true);
        !more.isUnderflow();
        more = decoder.decode(bytes, piece.clear(), true)) {
      if (more.isError()) {
        more.throwException();
      }
    }
    return new String(body, StandardCharsets.UTF_8);
  }

  private static boolean isAscii(byte[] body) {
    for (byte one : body) {
      if (one < 0) {
        return false;
      }
    }
    return true;
  }
}

package dev.contexture.token;

import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts with o200k_base piece by piece and keeps the counts of short pieces: words repeat. What
 * ASCII characters do not decide goes to the encoder, up to the next place where a piece certainly
 * begins; the sum is that of the whole text.
 *
 * <p>Thread-safe: a slot holds an immutable value, and what one thread overwrites another counts
 * again.
 */
final class PieceCounter {
  private static final int SLOTS = 1 << 15;
  private static final int MAX_KEPT_LENGTH = 24;

  private final @Nullable Piece[] kept = new Piece[SLOTS];
  private final ToLongFunction<String> encoder;

  PieceCounter(ToLongFunction<String> encoder) {
    this.encoder = encoder;
  }

  private record Piece(String text, long tokens) {}

  long count(String text) {
    long tokens = 0;
    int at = 0;
    while (at < text.length()) {
      int end = AsciiPieces.end(text, at);
      if (end == AsciiPieces.UNDECIDED) {
        end = AsciiPieces.nextCertainStart(text, at);
        tokens += encoder.applyAsLong(text.substring(at, end));
      } else {
        tokens += piece(text, at, end);
      }
      at = end;
    }
    return tokens;
  }

  private long piece(String text, int from, int end) {
    int length = end - from;
    if (length > MAX_KEPT_LENGTH) {
      return encoder.applyAsLong(text.substring(from, end));
    }
    int hash = length;
    for (int i = from; i < end; i++) {
      hash = hash * 31 + text.charAt(i);
    }
    int slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    Piece known = kept[slot];
    if (known != null
        && known.text.length() == length
        && text.regionMatches(from, known.text, 0, length)) {
      return known.tokens;
    }
    String piece = text.substring(from, end);
    long tokens = encoder.applyAsLong(piece);
    kept[slot] = new Piece(piece, tokens);
    return tokens;
  }
}

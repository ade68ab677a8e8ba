package dev.contexture.token;

import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts with an encoding piece by piece, in bounded time and memory for any text, and always with
 * the same result for the same text. The encoder alone needs about 600 bytes for each character of
 * a text without a break.
 *
 * <ol>
 *   <li>Pieces are those of the encoding, or several of them up to the next of its {@link
 *       CertainStarts}, so that their sum is that of the whole text. Counts of short ones are kept:
 *       words repeat.
 *   <li>A piece of more than {@link #MAX_EXACT_PIECE} characters, such as a word that never ends,
 *       is cut every {@link #CUT_LENGTH}; each cut may count a token too many.
 *   <li>The encoder's work on one text is at most {@link #MAX_EXACT_WORK} characters; a short piece
 *       that was seen shortly before in the same text is no work. A text that would need more is
 *       estimated: from {@link #SAMPLES} parts of {@link #SAMPLE_LENGTH} characters, evenly spread.
 * </ol>
 *
 * <p>Thread-safe: a slot holds an immutable value, and what one thread overwrites another counts
 * again.
 */
final class PieceCounter {
  static final int MAX_EXACT_PIECE = 4_096;
  static final int MAX_EXACT_WORK = 1 << 18;
  static final int SAMPLES = 64;
  static final int SAMPLE_LENGTH = 1_024;

  /** A whole number of digit triples, of the longest tokens of blanks and of rules such as ----. */
  private static final int CUT_LENGTH = 384;

  private static final int SLOTS = 1 << 15;
  private static final int MAX_KEPT_LENGTH = 24;

  private final @Nullable Piece[] kept = new Piece[SLOTS];
  private final ToLongFunction<String> encoder;
  private final boolean splitsAscii;

  /**
   * @param encoder counts a text by itself
   * @param splitsAscii whether its pieces are those of {@link AsciiPieces}
   */
  PieceCounter(ToLongFunction<String> encoder, boolean splitsAscii) {
    this.encoder = encoder;
    this.splitsAscii = splitsAscii;
  }

  private record Piece(String text, long tokens) {}

  long count(String text) {
    if (text.length() <= MAX_EXACT_WORK) {
      return count(text, 0, text.length());
    }
    return work(text) <= MAX_EXACT_WORK ? count(text, 0, text.length()) : estimate(text);
  }

  private long count(String text, int from, int to) {
    String part = text.substring(from, to);
    long tokens = 0;
    int at = 0;
    while (at < part.length()) {
      int end = end(part, at);
      tokens += end - at > MAX_EXACT_PIECE ? cut(part, at, end) : piece(part, at, end);
      at = end;
    }
    return tokens;
  }

  private int end(String text, int at) {
    int end = splitsAscii ? AsciiPieces.end(text, at) : AsciiPieces.UNDECIDED;
    return end == AsciiPieces.UNDECIDED ? CertainStarts.next(text, at) : end;
  }

  private long cut(String text, int from, int to) {
    long tokens = 0;
    int at = from;
    while (at < to) {
      int end = wholeCharacters(text, Math.min(to, at + CUT_LENGTH));
      tokens += encoder.applyAsLong(text.substring(at, end));
      at = end;
    }
    return tokens;
  }

  private static int wholeCharacters(String text, int at) {
    boolean inside =
        at > 0
            && at < text.length()
            && Character.isLowSurrogate(text.charAt(at))
            && Character.isHighSurrogate(text.charAt(at - 1));
    return inside ? at - 1 : at;
  }

  /** Characters that the encoder would have to look at; more than allowed: as far as it looked. */
  private int work(String text) {
    int[] seen = new int[SLOTS];
    int work = 0;
    int at = 0;
    while (at < text.length() && work <= MAX_EXACT_WORK) {
      int end = end(text, at);
      int hash = hash(text, at, Math.min(end, at + MAX_KEPT_LENGTH));
      if (end - at > MAX_KEPT_LENGTH || seen[slot(hash)] != hash) {
        work += end - at;
        seen[slot(hash)] = hash;
      }
      at = end;
    }
    return work;
  }

  private long estimate(String text) {
    long tokens = 0;
    long counted = 0;
    for (int i = 0; i < SAMPLES; i++) {
      long start = (text.length() - SAMPLE_LENGTH) * (long) i / (SAMPLES - 1);
      int from = wholeCharacters(text, (int) start);
      int to = wholeCharacters(text, (int) start + SAMPLE_LENGTH);
      tokens += count(text, from, to);
      counted += to - from;
    }
    return Math.round((double) tokens / counted * text.length());
  }

  private long piece(String text, int from, int end) {
    int length = end - from;
    if (length > MAX_KEPT_LENGTH) {
      return encoder.applyAsLong(text.substring(from, end));
    }
    int slot = slot(hash(text, from, end));
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

  private static int hash(String text, int from, int end) {
    int hash = end - from;
    for (int i = from; i < end; i++) {
      hash = hash * 31 + text.charAt(i);
    }
    return hash;
  }

  private static int slot(int hash) {
    return (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }
}

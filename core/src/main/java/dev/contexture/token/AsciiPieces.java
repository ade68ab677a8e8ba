package dev.contexture.token;

/**
 * Cuts text into the pieces that the o200k_base encoding encodes one by one, as far as ASCII
 * characters alone decide. A piece is, in this order of choice:
 *
 * <ol>
 *   <li>a word: capitals, then small letters, with at most one character before them that is no
 *       letter, digit or line break, and an English contraction behind them;
 *   <li>up to three digits;
 *   <li>other signs, with at most one space before and line breaks or slashes behind them;
 *   <li>white space up to its last line break;
 *   <li>white space but for the last one if something follows it, which begins the next piece.
 * </ol>
 */
final class AsciiPieces {
  /** A character beyond ASCII has a say. */
  static final int UNDECIDED = -1;

  private static final int ASCII = 128;

  private AsciiPieces() {}

  /** The end of the piece that begins at an index, or {@link #UNDECIDED}. */
  static int end(String text, int from) {
    char first = text.charAt(from);
    if (first >= ASCII) {
      return UNDECIDED;
    }
    if (isLetter(first)) {
      return word(text, from);
    }
    if (isDigit(first)) {
      return number(text, from);
    }
    char second = from + 1 < text.length() ? text.charAt(from + 1) : '\n';
    if (second >= ASCII) {
      return UNDECIDED;
    }
    if (isLetter(second) && !isLineBreak(first)) {
      return word(text, from + 1);
    }
    if (!isSpace(first)) {
      return signs(text, from);
    }
    boolean signFollows = first == ' ' && from + 1 < text.length() && isSign(second);
    return signFollows ? signs(text, from + 1) : spaces(text, from);
  }

  private static int word(String text, int from) {
    int at = from;
    while (at < text.length() && isCapital(text.charAt(at))) {
      at++;
    }
    while (at < text.length() && isSmall(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return at;
    }
    char next = text.charAt(at);
    return next >= ASCII ? UNDECIDED : next == '\'' ? contraction(text, at) : at;
  }

  /**
   * The end of {@code 's 't 'm 'd 're 've 'll} in any case; the apostrophe itself if none is there.
   */
  private static int contraction(String text, int apostrophe) {
    if (apostrophe + 1 == text.length()) {
      return apostrophe;
    }
    char first = text.charAt(apostrophe + 1);
    char second = apostrophe + 2 < text.length() ? text.charAt(apostrophe + 2) : ' ';
    if (first >= ASCII || second >= ASCII) {
      return UNDECIDED;
    }
    return switch (first | 0x20) {
      case 's', 't', 'm', 'd' -> apostrophe + 2;
      case 'r', 'v' -> (second | 0x20) == 'e' ? apostrophe + 3 : apostrophe;
      case 'l' -> (second | 0x20) == 'l' ? apostrophe + 3 : apostrophe;
      default -> apostrophe;
    };
  }

  private static int number(String text, int from) {
    int at = from;
    while (at < text.length() && at < from + 3 && isDigit(text.charAt(at))) {
      at++;
    }
    boolean more = at < from + 3 && at < text.length() && text.charAt(at) >= ASCII;
    return more ? UNDECIDED : at;
  }

  private static int signs(String text, int from) {
    int at = from;
    while (at < text.length() && isSign(text.charAt(at))) {
      at++;
    }
    if (at < text.length() && text.charAt(at) >= ASCII) {
      return UNDECIDED;
    }
    while (at < text.length() && (isLineBreak(text.charAt(at)) || text.charAt(at) == '/')) {
      at++;
    }
    return at;
  }

  private static int spaces(String text, int from) {
    int at = from;
    int behindBreak = 0;
    while (at < text.length() && isSpace(text.charAt(at))) {
      behindBreak = isLineBreak(text.charAt(at)) ? at + 1 : behindBreak;
      at++;
    }
    if (at < text.length() && text.charAt(at) >= ASCII) {
      return UNDECIDED;
    }
    if (behindBreak > 0) {
      return behindBreak;
    }
    return at == text.length() || at == from + 1 ? at : at - 1;
  }

  private static boolean isLetter(char c) {
    return isSmall(c) || isCapital(c);
  }

  private static boolean isSmall(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isCapital(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLineBreak(char c) {
    return c == '\n' || c == '\r';
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean isSign(char c) {
    return c < ASCII && !isLetter(c) && !isDigit(c) && !isSpace(c);
  }
}

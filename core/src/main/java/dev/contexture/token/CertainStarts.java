package dev.contexture.token;

/**
 * Finds places at which both encodings certainly begin a piece, whatever stands before: a piece is
 * a run of letters, of up to three digits, of signs, or of white space, and these kinds end each
 * other with few exceptions, which are left out here:
 *
 * <ol>
 *   <li>a space behind a letter, a digit or an ASCII sign;
 *   <li>a letter, a digit or an ASCII sign but for the slash behind a line break;
 *   <li>what is no digit behind a digit;
 *   <li>what is no letter, mark or apostrophe behind a letter.
 * </ol>
 */
final class CertainStarts {
  private CertainStarts() {}

  /** The first such place behind an index, or the end of the text. */
  static int next(String text, int behind) {
    int before = text.codePointAt(behind);
    int at = behind + Character.charCount(before);
    while (at < text.length()) {
      int here = text.codePointAt(at);
      if (isStart(before, here)) {
        return at;
      }
      before = here;
      at += Character.charCount(here);
    }
    return at;
  }

  private static boolean isStart(int before, int here) {
    if (isNumber(before)) {
      return !isNumber(here);
    }
    if (Character.isLetter(before)) {
      return !Character.isLetter(here) && !isMark(here) && here != '\'';
    }
    if (before == '\n' || before == '\r') {
      return Character.isLetter(here) || isNumber(here) || (isAsciiSign(here) && here != '/');
    }
    return here == ' ' && isAsciiSign(before);
  }

  private static boolean isAsciiSign(int c) {
    return c > ' ' && c < 0x7f && !Character.isLetterOrDigit(c);
  }

  private static boolean isNumber(int c) {
    return switch (Character.getType(c)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
      default -> false;
    };
  }

  private static boolean isMark(int c) {
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          true;
      default -> false;
    };
  }
}

package dev.contexture.crdt.internal.data;

import java.nio.charset.StandardCharsets;

/** Unicode text as UTF-8 bytes, counted in code points. */
public final class Utf8 {
  private Utf8() {}

  /** The bytes of a text; an unpaired surrogate becomes U+FFFD. */
  static byte[] encode(String text) {
    return sanitized(text).getBytes(StandardCharsets.UTF_8);
  }

  /** The text with every unpaired surrogate replaced by U+FFFD. */
  public static String sanitized(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.codePoints()
            .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text;
  }

  /** Code points in valid UTF-8. */
  static int count(byte[] bytes, int from, int length) {
    int count = 0;
    for (int i = from; i < from + length; i++) {
      count += isStart(bytes[i]) ? 1 : 0;
    }
    return count;
  }

  /** Bytes of the first {@code codePoints} code points of valid UTF-8 that has at least as many. */
  public static int bytesOf(byte[] bytes, int from, int codePoints) {
    int at = from;
    for (int i = 0; i < codePoints; i++) {
      at += width(bytes[at]);
    }
    return at - from;
  }

  static boolean isStart(byte b) {
    return (b & 0xC0) != 0x80;
  }

  public static int width(byte first) {
    if (first >= 0) {
      return 1;
    }
    int bits = first & 0xff;
    return bits < 0xE0 ? 2 : bits < 0xF0 ? 3 : 4;
  }

  /** Refuses what is not strict UTF-8; returns the number of code points. */
  public static int check(byte[] bytes, int from, int length) {
    int at = from;
    int end = from + length;
    while (at < end && bytes[at] >= 0) {
      at++;
    }
    if (at == end) {
      return length;
    }
    int ascii = at - from;
    String rest = ByteReader.decode(bytes, at, end - at, "a text");
    return ascii + rest.codePointCount(0, rest.length());
  }
}

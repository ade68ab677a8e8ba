package dev.contexture.block;

import org.apiguardian.api.API;

/** Lengths and beginnings of texts, by code points: no character is ever cut in two. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CodePoints {
  private CodePoints() {}

  public static int count(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The first code points of a text; all of it if it has no more. */
  public static String first(String text, int most) {
    return text.length() <= most || count(text) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }

  /** A text of at most so many code points; what was cut ends in an ellipsis. */
  public static String shortened(String text, int most) {
    return text.length() <= most || count(text) <= most ? text : first(text, most - 1) + "…";
  }
}

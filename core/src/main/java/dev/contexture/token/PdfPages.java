package dev.contexture.token;

import dev.contexture.block.Binary;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the page objects of a PDF that are not inside compressed streams. */
final class PdfPages {
  private static final Pattern PAGE = Pattern.compile("/Type\\s*/Page(?![A-Za-z])");

  private PdfPages() {}

  /** The number of pages, or 0 if it cannot be told. */
  static long count(Binary pdf) {
    Matcher pages = PAGE.matcher(new String(pdf.bytes(), StandardCharsets.ISO_8859_1));
    return pages.results().count();
  }
}

package dev.contexture.compaction.summary;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tells how much a sentence of a user matters: by words for what must or must not be and for who
 * speaks, in ten languages, and by signs that need no language: figures, dates, amounts, addresses,
 * names, quoted text.
 */
final class SignalWords {
  private static final int RULE = 4;
  private static final int SELF = 2;
  private static final int FIGURE = 2;
  private static final int ADDRESS = 2;
  private static final int NAME = 1;
  private static final int QUOTE = 1;
  private static final int LONG_CHARS = 120; // a long sentence is worth less by the room it needs

  private static final Pattern FIGURES = Pattern.compile("\\p{Nd}|[一二三四五六七八九十百千万]+[个人元块岁月日号]");
  private static final Pattern ADDRESSES =
      Pattern.compile(
          "\\S@\\S|https?://|(?:^|\\s)\\+?\\p{Nd}[\\p{Nd} ()/-]{6,}|\\p{L}+_\\p{L}*\\p{Nd}");
  private static final Pattern NAMES = Pattern.compile("(?<=[\\p{L}\\p{Nd},;:] )\\p{Lu}\\p{Ll}+");
  private static final Pattern QUOTES =
      Pattern.compile("\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』|`[^`]+`");

  private static final Pattern RULES = words("rule");
  private static final Pattern SELVES = words("self");

  private SignalWords() {}

  /** The value of a sentence, from 0. */
  static int value(String sentence) {
    int value = 0;
    value += RULES.matcher(sentence).find() ? RULE : 0;
    value += SELVES.matcher(sentence).find() ? SELF : 0;
    value += FIGURES.matcher(sentence).find() ? FIGURE : 0;
    value += ADDRESSES.matcher(sentence).find() ? ADDRESS : 0;
    value += NAMES.matcher(sentence).find() ? NAME : 0;
    value += QUOTES.matcher(sentence).find() ? QUOTE : 0;
    return Math.max(0, value - sentence.length() / LONG_CHARS);
  }

  private static Pattern words(String kind) {
    List<String> spaced = new ArrayList<>();
    List<String> anywhere = new ArrayList<>();
    for (String line : lines()) {
      int colon = line.indexOf(':');
      String[] head = line.substring(0, Math.max(0, colon)).split(" ");
      if (head.length == 2 && head[1].equals(kind)) {
        boolean blanks = !head[0].equals("zh") && !head[0].equals("ja");
        for (String word : line.substring(colon + 1).split(",")) {
          (blanks ? spaced : anywhere).add(word.strip());
        }
      }
    }
    String words = spaced.stream().map(SignalWords::form).collect(Collectors.joining("|"));
    String parts = anywhere.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    return Pattern.compile(
        "(?<![\\p{L}\\p{M}])(?:" + words + ")|" + parts,
        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  private static String form(String word) {
    return word.endsWith("*")
        ? Pattern.quote(word.substring(0, word.length() - 1))
        : Pattern.quote(word) + "(?![\\p{L}\\p{M}])";
  }

  private static List<String> lines() {
    try (InputStream in =
            Objects.requireNonNull(SignalWords.class.getResourceAsStream("signal-words.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).toList();
    } catch (IOException broken) {
      throw new UncheckedIOException("signal-words.txt cannot be read", broken);
    }
  }
}

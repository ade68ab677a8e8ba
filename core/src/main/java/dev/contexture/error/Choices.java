package dev.contexture.error;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Allowed words as messages, help and schemas list them, taken from where they are declared. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Choices {
  private static final int MOST = 8;

  private Choices() {}

  /** The names of an enumeration as JSON has them, in the order of their declaration. */
  public static List<String> of(Enum<?>... values) {
    return Stream.of(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
  }

  /** Words for a sentence: {@code a, b or c}. */
  public static String inWords(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  /** The first of many words for a sentence, and how many more there are. */
  public static String few(List<String> words) {
    String first = String.join(", ", words.subList(0, Math.min(MOST, words.size())));
    return words.size() > MOST ? first + " and " + (words.size() - MOST) + " more" : first;
  }

  /** The names of an enumeration for a sentence. */
  public static String inWords(Enum<?>... values) {
    return inWords(of(values));
  }
}

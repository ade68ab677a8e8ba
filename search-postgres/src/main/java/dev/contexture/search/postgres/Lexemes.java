package dev.contexture.search.postgres;

import dev.contexture.search.lucene.EntryWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The words of passages as PostgreSQL keeps and compares them. Each begins with the number of its
 * project, so that a query reads nothing of another one. Immutable.
 */
final class Lexemes {
  /** Where words stand: in the entry itself, around it, in what it is for, in its name. */
  static final String OWN = "A";

  static final String AROUND = "B";
  static final String DESCRIPTION = "C";
  static final String LABEL = "D";

  /** Itself, its name, or what it is for. */
  static final String ITSELF = OWN + DESCRIPTION + LABEL;

  private static final String PART = "\u0001";
  private static final String LANGUAGE = "\u0001=";
  private static final int LAST_PLACE = 16_383;
  private static final int MOST_PLACES = 255;

  /** So that no phrase reaches from one field into another. */
  private static final int GAP = 100;

  private final String prefix;

  Lexemes(long project) {
    this.prefix = Long.toString(project, Character.MAX_RADIX) + ":";
  }

  /** The term that says that there is a text of a language. */
  static String language(String code) {
    return LANGUAGE + code;
  }

  /** The term of a stretch of a word. */
  static String part(String stretch) {
    return PART + stretch;
  }

  /** What begins a lexeme of this project. */
  String lexeme(String term) {
    return prefix + term;
  }

  /** The term of a lexeme. */
  String term(String lexeme) {
    return lexeme.substring(prefix.length());
  }

  /** A lexeme in a query. */
  String quoted(String term) {
    return quote(lexeme(term));
  }

  /** A lexeme in a query, in some of the places. */
  String quoted(String term, String places) {
    return quote(lexeme(term)) + ":" + places;
  }

  private static String quote(String lexeme) {
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'";
  }

  /** The vector of a passage. */
  String vector(EntryWords.Passage passage) {
    Map<String, List<String>> places = new LinkedHashMap<>();
    int end = add(places, passage.own(), 1, OWN);
    end = add(places, passage.description(), end, DESCRIPTION);
    end = add(places, passage.label(), end, LABEL);
    for (Map.Entry<String, Integer> around : passage.around().entrySet()) {
      List<String> of = places.computeIfAbsent(around.getKey(), key -> new ArrayList<>());
      for (int i = 0; i < around.getValue(); i++) {
        of.add(place(end++) + AROUND);
      }
    }
    if (!passage.language().isEmpty()) {
      places.put(language(passage.language()), List.of("1" + LABEL));
    }
    passage.parts().forEach(part -> places.put(part(part), List.of()));
    StringBuilder vector = new StringBuilder();
    places.forEach(
        (term, of) -> {
          vector.append(quoted(term));
          if (!of.isEmpty()) {
            vector.append(':').append(String.join(",", of.subList(0, most(of))));
          }
          vector.append(' ');
        });
    return vector.toString();
  }

  private static int most(List<String> places) {
    return Math.min(MOST_PLACES, places.size());
  }

  private static int add(
      Map<String, List<String>> places, List<EntryWords.Placed> words, int from, String kind) {
    int last = from;
    for (EntryWords.Placed word : words) {
      last = from + word.place();
      places.computeIfAbsent(word.term(), key -> new ArrayList<>()).add(place(last) + kind);
    }
    return words.isEmpty() ? from : last + GAP;
  }

  private static int place(int at) {
    return Math.min(at, LAST_PLACE);
  }
}

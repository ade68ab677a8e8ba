package dev.contexture.search.postgres;

import dev.contexture.search.lucene.EntryWords;
import dev.contexture.search.lucene.condition.WordCondition;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Conditions on the words of a passage as PostgreSQL writes them. Confined to one query.
 *
 * <p>A text is empty where nothing meets the condition.
 */
final class ConditionSql {
  private static final String NOTHING = "";

  private final Lexemes lexemes;
  private final Dictionary dictionary;
  private final Set<String> terms = new LinkedHashSet<>();

  /** The words of a project. */
  interface Dictionary {
    Collection<String> matching(Predicate<String> pattern) throws SQLException;
  }

  ConditionSql(Lexemes lexemes, Dictionary dictionary) {
    this.lexemes = lexemes;
    this.dictionary = dictionary;
  }

  /** The words that meeting it may be worth something for, of the conditions so far. */
  Set<String> terms() {
    return terms;
  }

  String of(WordCondition condition) throws SQLException {
    return of(condition, true);
  }

  private String of(WordCondition condition, boolean scores) throws SQLException {
    return switch (condition) {
      case WordCondition.Holds holds -> word(place(holds.part()), holds.term(), scores);
      case WordCondition.Like like -> {
        String place = place(like.part());
        yield any(
            dictionary.matching(like.pattern()).stream()
                .map(term -> word(place, term, scores))
                .toList());
      }
      case WordCondition.Any any -> {
        List<String> each = new ArrayList<>();
        for (WordCondition one : any.of()) {
          each.add(of(one, scores));
        }
        yield any(each);
      }
      case WordCondition.All all -> all(all, scores);
      case WordCondition.Phrase phrase -> phrase(phrase, scores);
    };
  }

  private String word(String places, String term, boolean scores) {
    if (scores) {
      terms.add(term);
    }
    return lexemes.quoted(term, places);
  }

  private static String place(WordCondition.Part part) {
    return switch (part) {
      case OWN -> Lexemes.OWN;
      case LABEL -> Lexemes.LABEL;
      case DESCRIPTION -> Lexemes.DESCRIPTION;
    };
  }

  /** One of them is met. */
  static String any(Collection<String> conditions) {
    List<String> left = conditions.stream().filter(each -> !each.equals(NOTHING)).toList();
    return left.isEmpty() ? NOTHING : "(" + String.join(" | ", left) + ")";
  }

  private String all(WordCondition.All all, boolean scores) throws SQLException {
    List<String> left = new ArrayList<>();
    for (WordCondition each : all.of()) {
      left.add(of(each, scores));
    }
    if (left.isEmpty() || left.contains(NOTHING)) {
      return NOTHING;
    }
    for (WordCondition each : all.without()) {
      String excluded = of(each, false);
      if (!excluded.equals(NOTHING)) {
        left.add("!" + excluded);
      }
    }
    return "(" + String.join(" & ", left) + ")";
  }

  private String phrase(WordCondition.Phrase phrase, boolean scores) {
    StringBuilder text = new StringBuilder();
    int last = 0;
    for (WordCondition.Step step : phrase.steps()) {
      List<String> words =
          step.terms().stream()
              .sorted()
              .map(term -> word(place(phrase.part()), term, scores))
              .toList();
      text.append(text.isEmpty() ? "" : " <" + (step.place() - last) + "> ").append(any(words));
      last = step.place();
    }
    return "(" + text + ")";
  }

  /** Words stand one behind the other, in the entry, its name, or what it is for. */
  String phrase(List<EntryWords.Placed> words) {
    Map<Integer, Set<String>> places = new TreeMap<>();
    for (EntryWords.Placed word : words) {
      places.computeIfAbsent(word.place(), key -> new LinkedHashSet<>()).add(word.term());
    }
    int first = words.getFirst().place();
    List<WordCondition.Step> steps = new ArrayList<>();
    places.forEach((place, of) -> steps.add(new WordCondition.Step(place - first, of)));
    List<String> anywhere = new ArrayList<>();
    for (WordCondition.Part part : WordCondition.Part.values()) {
      anywhere.add(phrase(new WordCondition.Phrase(part, steps), true));
    }
    return any(anywhere);
  }
}

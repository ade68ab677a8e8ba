package dev.contexture.search.lucene;

import dev.contexture.search.QueryText;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchIndex.TextMatch;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where texts match a query: by its words, or by other forms of them. What the query says is read
 * once; one thread asks.
 */
final class QueryMatcher {
  /** Up to how many characters a text is tried in every language, to show where it matches. */
  private static final int GUESSED_CHARS = 200;

  private final Set<String> terms;
  private final CandidateWords candidates;
  private final Map<Language, OtherForms> forms = new EnumMap<>(Language.class);
  private final Map<Language, CandidateWords> guesses = new EnumMap<>(Language.class);

  QueryMatcher(KeywordQuery query) {
    this.terms = Queries.terms(query);
    this.candidates = CandidateWords.ofTerms(terms);
    if (!query.raw()) { // a raw one is taken as it is
      String words = QueryText.parse(query.text()).words();
      for (Language language : OtherForms.languages(words, terms.size())) {
        OtherForms others = OtherForms.in(EnumSet.of(language), words);
        if (!others.isEmpty()) {
          forms.put(language, others);
          guesses.put(language, CandidateWords.ofForms(others, language));
        }
      }
    }
  }

  TextMatch match(String text) {
    Language language = Language.of(text);
    if (language != null) {
      OtherForms others = forms.getOrDefault(language, OtherForms.NONE);
      return Excerpts.of(term -> terms.contains(term) || others.match(term), text, language);
    }
    TextMatch match = found(terms::contains, text, candidates.in(text), null);
    if (match.matches() || guesses.isEmpty() || text.length() > GUESSED_CHARS) {
      return match;
    }
    // too short to tell: its neighbours may have told its language
    for (Language guess : Language.candidates(text)) {
      TextMatch other = guessed(text, guess);
      if (other != null) {
        return other;
      }
    }
    return match;
  }

  /** How a text matches if it is of a language; null: it does not. */
  private @Nullable TextMatch guessed(String text, Language guess) {
    OtherForms others = forms.getOrDefault(guess, OtherForms.NONE);
    CandidateWords words = guesses.get(guess);
    TextMatch match = found(others::match, text, words == null ? "" : words.in(text), guess);
    return match.matches() ? match : null;
  }

  private static TextMatch found(
      Predicate<String> matching, String text, String candidates, @Nullable Language language) {
    return Excerpts.of(
        matching, text, candidates.isBlank() ? List.of() : Excerpts.words(candidates, language));
  }
}

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
 * Finds the places where texts match a query: by its words, or by other forms of them. What the
 * query says is read once; one thread asks.
 */
final class QueryMatcher {
  /** Up to how many characters a text is tried in every language, to show where it matches. */
  private static final int GUESSED_CHARS = 200;

  private final Set<String> terms;
  private final CandidateWords candidates;
  private final String words;
  private final Set<Language> languages;
  private final Map<Language, Forms> forms = new EnumMap<>(Language.class);

  QueryMatcher(KeywordQuery query) {
    this.terms = Queries.terms(query);
    this.candidates = CandidateWords.ofTerms(terms);
    this.words = QueryText.parse(query.text()).words();
    // a raw one is taken as it is
    this.languages = query.raw() ? Set.of() : OtherForms.languages(words, terms.size());
  }

  /** Forms of the query in a language, and which words may have them. */
  private record Forms(OtherForms others, CandidateWords candidates) {}

  TextMatch match(String text) {
    Language language = Language.of(text);
    if (language != null) {
      OtherForms others = forms(language).others;
      return Excerpts.of(term -> terms.contains(term) || others.match(term), text, language);
    }
    TextMatch match = match(terms::contains, text, candidates, null);
    if (match.matches() || languages.isEmpty() || text.length() > GUESSED_CHARS) {
      return match;
    }
    // too short to tell: its neighbours may have told its language
    for (Language guess : Language.candidates(text)) {
      Forms guessed = forms(guess);
      if (!guessed.others.isEmpty()) {
        TextMatch other = match(guessed.others::match, text, guessed.candidates, guess);
        if (other.matches()) {
          return other;
        }
      }
    }
    return match;
  }

  private Forms forms(Language language) {
    return forms.computeIfAbsent(
        language,
        of -> {
          OtherForms others =
              OtherForms.in(languages.contains(of) ? EnumSet.of(of) : Set.of(), words);
          return new Forms(others, CandidateWords.ofForms(others, of));
        });
  }

  private static TextMatch match(
      Predicate<String> matching,
      String text,
      CandidateWords candidates,
      @Nullable Language language) {
    String left = candidates.in(Excerpts.seen(text));
    return Excerpts.of(matching, text, left.isBlank() ? List.of() : Excerpts.words(left, language));
  }
}

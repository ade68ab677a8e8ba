package dev.contexture.search.lucene.condition;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apiguardian.api.API;

/** Condition on the words of a passage. Closed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface WordCondition {
  /** Where a word stands. */
  enum Part {
    OWN,
    LABEL,
    DESCRIPTION
  }

  /** A word stands there. */
  record Holds(Part part, String term) implements WordCondition {}

  /**
   * Words stand one behind the other.
   *
   * @param steps from the first one on
   */
  record Phrase(Part part, List<Step> steps) implements WordCondition {
    public Phrase {
      steps = List.copyOf(steps);
    }
  }

  /**
   * Words of a phrase of which one stands at a place.
   *
   * @param place behind that of the first
   */
  record Step(int place, Set<String> terms) {
    public Step {
      terms = Set.copyOf(terms);
    }
  }

  /** A word of a pattern stands there. */
  record Like(Part part, Predicate<String> pattern) implements WordCondition {}

  /** All of these, and none of those; nothing if there are none of the first. */
  record All(List<WordCondition> of, List<WordCondition> without) implements WordCondition {
    public All {
      of = List.copyOf(of);
      without = List.copyOf(without);
    }
  }

  /** One of these; nothing if there are none. */
  record Any(List<WordCondition> of) implements WordCondition {
    public Any {
      of = List.copyOf(of);
    }
  }

  /**
   * What a query of Lucene demands. How much it is worth to meet it is left out.
   *
   * @throws IllegalArgumentException for what can only be asked of Lucene
   */
  static WordCondition of(Query query) {
    return switch (query) {
      case BooleanQuery all -> all(all);
      case BoostQuery boosted -> of(boosted.getQuery());
      case TermQuery term -> new Holds(part(term.getTerm()), term.getTerm().text());
      case SynonymQuery words ->
          new Any(
              words.getTerms().stream()
                  .<WordCondition>map(term -> new Holds(part(term), term.text()))
                  .toList());
      case DisjunctionMaxQuery any ->
          new Any(any.getDisjuncts().stream().map(WordCondition::of).toList());
      case PhraseQuery phrase -> phrase(phrase);
      case MultiPhraseQuery phrase -> phrase(phrase);
      case MultiTermQuery pattern -> like(pattern);
      case MatchNoDocsQuery unused -> new Any(List.of());
      default ->
          throw new IllegalArgumentException(
              "this index knows no " + query.getClass().getSimpleName());
    };
  }

  private static WordCondition all(BooleanQuery query) {
    List<WordCondition> must = new ArrayList<>();
    List<WordCondition> should = new ArrayList<>();
    List<WordCondition> without = new ArrayList<>();
    for (BooleanClause clause : query.clauses()) {
      List<WordCondition> place =
          clause.isProhibited() ? without : clause.isRequired() ? must : should;
      place.add(of(clause.query()));
    }
    if (must.isEmpty() && !should.isEmpty()) {
      must.add(new Any(should)); // beside what is required, the others only add to the score
    }
    return new All(must, without);
  }

  private static WordCondition phrase(PhraseQuery query) {
    if (query.getSlop() > 0) {
      throw new IllegalArgumentException("this index knows no phrase with words between (~)");
    }
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < query.getTerms().length; i++) {
      steps.add(new Step(query.getPositions()[i], Set.of(query.getTerms()[i].text())));
    }
    return new Phrase(part(query.getTerms()[0]), steps);
  }

  private static WordCondition phrase(MultiPhraseQuery query) {
    if (query.getSlop() > 0) {
      throw new IllegalArgumentException("this index knows no phrase with words between (~)");
    }
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < query.getTermArrays().length; i++) {
      List<String> terms = new ArrayList<>();
      for (Term term : query.getTermArrays()[i]) {
        terms.add(term.text());
      }
      steps.add(new Step(query.getPositions()[i], Set.copyOf(terms)));
    }
    return new Phrase(part(query.getTermArrays()[0][0]), steps);
  }

  private static WordCondition like(MultiTermQuery query) {
    List<Predicate<String>> patterns = new ArrayList<>();
    query.visit(
        new QueryVisitor() {
          @Override
          public void consumeTerms(Query of, Term... terms) {
            for (Term term : terms) {
              patterns.add(term.text()::equals);
            }
          }

          @Override
          public void consumeTermsMatching(
              Query of, String field, Supplier<ByteRunAutomaton> automaton) {
            ByteRunAutomaton accepts = automaton.get();
            patterns.add(
                term -> {
                  BytesRef bytes = new BytesRef(term);
                  return accepts.run(bytes.bytes, bytes.offset, bytes.length);
                });
          }
        });
    return new Like(
        part(query.getField()), term -> patterns.stream().anyMatch(pattern -> pattern.test(term)));
  }

  private static Part part(Term term) {
    return part(term.field());
  }

  private static Part part(String field) {
    return Part.valueOf(field.toUpperCase(Locale.ROOT));
  }
}

package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.lucene.QueryWords;
import dev.contexture.search.lucene.condition.WordCondition;
import dev.contexture.store.jdbc.Db;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers a query by words, in one transaction:
 *
 * <ol>
 *   <li>The counts of its words are read. Of many or common words those that tell most find
 *       candidates, so that the database looks at a bounded number of passages.
 *   <li>The best of these by {@code ts_rank} are read, with the places of the query's words.
 *   <li>{@link PassageScore} puts them in order, and the best passage of an entry stands for it.
 * </ol>
 */
final class KeywordSearch {
  private static final int LEAST_CANDIDATES = 300;
  private static final int PASSAGES_PER_HIT = 3;
  private static final int MAX_TERMS = 256;

  /** As {@code ts_rank} takes them: label, description, around, own. */
  private static final String WEIGHTS = "'{1, 0.75, 0.3, 0.5}'::real[]";

  /** How many passages may be looked at, about; the rarest word finds all of its own. */
  private static final long MAX_MATCHES = 50_000;

  private final Db db;
  private final Scope scope;
  private final PositionRow index;
  private final Lexemes lexemes;

  KeywordSearch(Db db, Scope scope, PositionRow index) {
    this.db = db;
    this.scope = scope;
    this.index = index;
    this.lexemes = new Lexemes(index.number());
  }

  /** A condition of the database, and what meeting it is worth. */
  private record Plan(String condition, PassageScore.Asked asked) {}

  /** What a hit needs beside its score. */
  private record Found(IndexHit hit, PassageScore.Candidate passage) {}

  List<IndexHit> find(KeywordQuery query, IndexFilter filter, int limit) throws SQLException {
    Plan plan = query.raw() ? raw(query) : plan(QueryWords.of(query));
    if (plan.condition.isEmpty()) {
      return List.of();
    }
    PassageScore scoring = new PassageScore(plan.asked);
    for (int depth = Math.max(LEAST_CANDIDATES, limit * PASSAGES_PER_HIT); ; depth *= 4) {
      Collection<Found> found = candidates(plan, filter, depth);
      List<IndexHit> hits = best(found, scoring, limit);
      if (hits.size() == limit || found.size() < depth) {
        return hits;
      }
    }
  }

  private Plan raw(KeywordQuery query) throws SQLException {
    WordCondition condition = QueryWords.raw(query);
    ConditionSql text = new ConditionSql(lexemes, this::matching);
    String written = text.of(condition);
    Map<String, Integer> counts = new LinkedHashMap<>();
    text.terms().forEach(term -> counts.put(term, 1));
    return new Plan(written, asked(counts, List.of(), List.of()));
  }

  private List<String> matching(Predicate<String> pattern) throws SQLException {
    List<String> found =
        new TermDictionary(db, scope).matching(1, TermDictionary.MOST_CHARS, pattern);
    if (found.size() > TermDictionary.MAX_MATCHING) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "a pattern of the query stands for more than "
              + TermDictionary.MAX_MATCHING
              + " words; narrow it",
          Map.of("field", "query"),
          null);
    }
    return found;
  }

  private PassageScore.Asked asked(
      Map<String, Integer> counts, List<QueryWords.Pair> pairs, List<Set<String>> inside)
      throws SQLException {
    return new PassageScore.Asked(
        counts,
        pairs,
        inside,
        TermCounts.read(db, scope, counts.keySet()),
        index.passages(),
        index.ownWords());
  }

  private Plan plan(QueryWords query) throws SQLException {
    QueryWords.Forms forms = forms(query);
    Map<String, Integer> counts = new LinkedHashMap<>(query.counts());
    forms.stems().forEach(stem -> counts.putIfAbsent(stem, 1));
    ConditionSql text = new ConditionSql(lexemes, pattern -> List.of());
    List<String> demanded = query.phrases().stream().map(text::phrase).toList();
    text.terms().forEach(term -> counts.putIfAbsent(term, 1));
    PassageScore.Asked asked = asked(counts, query.pairs(), forms.inside());
    if (!demanded.isEmpty()) {
      return new Plan("(" + String.join(" & ", demanded) + ")", asked);
    }
    List<String> alternatives = new ArrayList<>();
    String places = query.takesNeighbours() ? Lexemes.ITSELF + Lexemes.AROUND : Lexemes.ITSELF;
    telling(asked).forEach(term -> alternatives.add(lexemes.quoted(term, places)));
    for (Set<String> parts : forms.inside()) {
      List<String> all = parts.stream().map(part -> lexemes.quoted(Lexemes.part(part))).toList();
      alternatives.add("(" + String.join(" & ", all) + ")");
    }
    return new Plan(ConditionSql.any(alternatives), asked);
  }

  /** The other forms of words, in languages that the project has texts of. */
  private QueryWords.Forms forms(QueryWords query) throws SQLException {
    Set<String> codes = new LinkedHashSet<>();
    boolean unused =
        query.forms(codes::add).stems().isEmpty(); // which languages come into question
    Set<String> named = new LinkedHashSet<>();
    codes.forEach(code -> named.add(Lexemes.language(code)));
    Set<String> there = named.isEmpty() ? Set.of() : TermCounts.read(db, scope, named).keySet();
    return query.forms(code -> there.contains(Lexemes.language(code)));
  }

  /** The words that find candidates: the rarest ones. */
  private static List<String> telling(PassageScore.Asked asked) {
    List<String> known = new ArrayList<>(asked.counts().keySet());
    known.retainAll(asked.frequencies().keySet());
    known.sort(Comparator.comparingLong((String term) -> near(asked, term)));
    List<String> telling = new ArrayList<>();
    long matches = 0;
    for (String term : known) {
      matches += near(asked, term);
      if (telling.size() == MAX_TERMS || (matches > MAX_MATCHES && !telling.isEmpty())) {
        break;
      }
      telling.add(term);
    }
    return telling;
  }

  private static long near(PassageScore.Asked asked, String term) {
    TermCounts.Count count = asked.frequencies().getOrDefault(term, TermCounts.Count.NONE);
    return Math.max(count.own(), count.near());
  }

  private Collection<Found> candidates(Plan plan, IndexFilter filter, int depth)
      throws SQLException {
    Set<String> wanted = new LinkedHashSet<>(plan.asked.counts().keySet());
    plan.asked.inside().forEach(parts -> parts.forEach(part -> wanted.add(Lexemes.part(part))));
    List<String> read = wanted.stream().map(lexemes::lexeme).toList();
    String ranked = ConditionSql.any(telling(plan.asked).stream().map(lexemes::quoted).toList());
    SqlText sql =
        SqlText.of("WITH found AS MATERIALIZED (SELECT p.id, p.place, p.words, p.own_words,")
            .add(" p.near_weight, e.type, e.hash FROM search_passages p JOIN search_entries e")
            .add(" ON e.tenant = p.tenant AND e.project = p.project AND e.part = 't'")
            .add(" AND e.id = p.id WHERE p.tenant = ? AND p.project = ?")
            .add("", scope.tenant(), scope.project());
    sql.add(" AND p.words @@ ?::tsquery", plan.condition);
    sql.add(FilterSql.of(filter)).add(" ORDER BY ");
    if (!ranked.isEmpty()) {
      sql.add("ts_rank(" + WEIGHTS + ", p.words, ?::tsquery, 1) DESC, ", ranked);
    }
    sql.add("p.id, p.place LIMIT ?)", depth)
        .add(" SELECT f.id, f.place, f.own_words, f.near_weight, f.type, f.hash, w.lexeme,")
        .add(" array_to_string(w.positions, ','), array_to_string(w.weights, '')")
        .add(" FROM found f LEFT JOIN LATERAL unnest(f.words) w ON w.lexeme = ANY(?)", read);
    Map<String, Found> found = new HashMap<>();
    sql.each(db, row -> add(found, row));
    return found.values();
  }

  private boolean add(Map<String, Found> found, ResultSet row) throws SQLException {
    String id = row.getString(1);
    Found passage = found.get(id + "\n" + row.getInt(2));
    if (passage == null) {
      SearchContentType type = SearchContentType.valueOf(row.getString(5));
      passage =
          new Found(
              new IndexHit(id, type, 0, row.getString(6)),
              new PassageScore.Candidate(id, row.getInt(3), row.getDouble(4), new HashMap<>()));
      found.put(id + "\n" + row.getInt(2), passage);
    }
    String lexeme = row.getString(7);
    if (lexeme != null) {
      passage.passage.words().put(lexemes.term(lexeme), places(row.getString(8), row.getString(9)));
    }
    return true;
  }

  private static List<PassageScore.Place> places(
      @Nullable String positions, @Nullable String kinds) {
    List<PassageScore.Place> places = new ArrayList<>();
    if (positions == null || kinds == null || kinds.isEmpty()) {
      return places; // a stretch of a word stands nowhere
    }
    String[] at = positions.split(",", -1);
    for (int i = 0; i < at.length; i++) {
      places.add(new PassageScore.Place(Integer.parseInt(at[i]), kinds.charAt(i)));
    }
    return places;
  }

  /** The best passage of each entry, best first, equal ones by id. */
  private static List<IndexHit> best(Collection<Found> found, PassageScore scoring, int limit) {
    Map<String, IndexHit> best = new HashMap<>();
    for (Found each : found) {
      double score = scoring.of(each.passage);
      IndexHit scored = new IndexHit(each.hit.id(), each.hit.type(), score, each.hit.hash());
      best.merge(scored.id(), scored, (one, other) -> one.score() >= other.score() ? one : other);
    }
    return BestHits.of(best.values(), limit);
  }
}

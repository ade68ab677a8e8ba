package dev.contexture.search.lucene;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.queryparser.classic.MultiFieldQueryParser;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Reads queries in Lucene's syntax, of bounded cost and over the fields that are documented. What
 * stands around an entry is none of them: it may be of somebody else. Confined to one query.
 */
final class RawQuery extends MultiFieldQueryParser {
  static final int MAX_CHARS = 1_000;
  static final int MAX_CLAUSES = 64;
  static final int MAX_DEPTH = 20;
  static final int MAX_PATTERN_CHARS = 100;
  static final int MAX_REPEATS = 256;

  private static final Set<String> FIELDS =
      Set.of(IndexFields.OWN, IndexFields.LABEL, IndexFields.DESCRIPTION);
  private static final Pattern REPEAT = Pattern.compile("\\{(\\d*),?(\\d*)");
  private static final int MAX_REPEAT_DIGITS = 9;
  private static final String TOO_COMPLEX = "a pattern of it, or all of it, is too complex";
  private static final String NOT_LUCENE =
      "it does not follow Lucene's syntax (unclosed quotes, brackets or slashes, an operator"
          + " without a term)";

  private int clauses;

  private RawQuery(float labelWeight, float descriptionWeight) {
    super(
        FIELDS.stream().sorted().toArray(String[]::new),
        TextAnalysis.QUERY,
        Map.of(IndexFields.LABEL, labelWeight, IndexFields.DESCRIPTION, descriptionWeight));
  }

  /**
   * @throws ContextureException {@code invalid_argument} if it is wrong or costs too much
   */
  static Query parse(String text, float labelWeight, float descriptionWeight) {
    try {
      checkSize(text);
      return new RawQuery(labelWeight, descriptionWeight).parse(text);
    } catch (RefusedQuery refused) {
      throw invalid(text, refused.why, refused);
    } catch (TooComplexToDeterminizeException | IndexSearcher.TooManyClauses refused) {
      throw invalid(text, TOO_COMPLEX, refused);
    } catch (ParseException | IllegalArgumentException refused) {
      throw invalid(text, why(refused.getCause()), refused);
    }
  }

  private static String why(@Nullable Throwable cause) {
    return cause instanceof RefusedQuery own
        ? own.why
        : cause instanceof IndexSearcher.TooManyClauses ? TOO_COMPLEX : NOT_LUCENE;
  }

  /** In words of this class: those of the parser are about its grammar, and repeat the query. */
  static ContextureException invalid(String text, String why, Exception refused) {
    return new ContextureException(
        ErrorCode.INVALID_ARGUMENT,
        "query is no valid raw query: " + why + "; correct it, or leave raw out",
        Map.of("field", "query", "actual", text.substring(0, Math.min(text.length(), 120))),
        refused);
  }

  /** A query that Lucene can read and that is refused for what it asks. */
  private static final class RefusedQuery extends ParseException {
    private static final long serialVersionUID = 1L;

    private final String why;

    RefusedQuery(String why) {
      super(why);
      this.why = why;
    }
  }

  private static void checkSize(String text) throws ParseException {
    atMost("characters", text.length(), MAX_CHARS);
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' && depth > 0 ? -1 : 0;
      atMost("parentheses inside each other", depth, MAX_DEPTH);
    }
  }

  private static void atMost(String what, long actual, long allowed) throws ParseException {
    if (actual > allowed) {
      throw new RefusedQuery(actual + " " + what + "; allowed are " + allowed);
    }
  }

  /** Counts a clause, of a field or of all of them. */
  private void take(@Nullable String field) throws ParseException {
    atMost("clauses", ++clauses, MAX_CLAUSES);
    if (field != null && !FIELDS.contains(field)) {
      throw new RefusedQuery("no field '" + field + "'; allowed are own, label and description");
    }
  }

  /** A pattern whose repeats make it long, or many of them inside each other, is refused. */
  private static void checkPattern(String pattern) throws ParseException {
    atMost("characters of a pattern", pattern.length(), MAX_PATTERN_CHARS);
    long repeats = 1;
    Matcher counts = REPEAT.matcher(pattern);
    while (counts.find()) {
      repeats *= Math.max(1, Math.max(number(counts.group(1)), number(counts.group(2))));
      atMost("repeats in a pattern", repeats, MAX_REPEATS);
    }
  }

  private static long number(String digits) {
    return digits.isEmpty()
        ? 0
        : digits.length() > MAX_REPEAT_DIGITS ? 1_000_000_000 : Long.parseLong(digits);
  }

  @Override
  protected Query getFieldQuery(@Nullable String field, String text, boolean quoted)
      throws ParseException {
    take(field);
    return super.getFieldQuery(field, text, quoted);
  }

  @Override
  protected Query getFieldQuery(@Nullable String field, String text, int slop)
      throws ParseException {
    take(field);
    return super.getFieldQuery(field, text, slop);
  }

  @Override
  protected Query getFuzzyQuery(@Nullable String field, String term, float similarity)
      throws ParseException {
    take(field);
    atMost("characters of a pattern", term.length(), MAX_PATTERN_CHARS);
    return super.getFuzzyQuery(field, term, similarity);
  }

  @Override
  protected Query getPrefixQuery(@Nullable String field, String term) throws ParseException {
    take(field);
    return super.getPrefixQuery(field, term);
  }

  @Override
  protected Query getWildcardQuery(@Nullable String field, String term) throws ParseException {
    take(field);
    atMost("characters of a pattern", term.length(), MAX_PATTERN_CHARS);
    return super.getWildcardQuery(field, term);
  }

  @Override
  protected Query getRegexpQuery(@Nullable String field, String term) throws ParseException {
    take(field);
    checkPattern(term);
    return super.getRegexpQuery(field, term);
  }

  @Override
  protected Query getRangeQuery(
      @Nullable String field,
      @Nullable String from,
      @Nullable String to,
      boolean fromIncluded,
      boolean toIncluded)
      throws ParseException {
    take(field);
    return super.getRangeQuery(field, from, to, fromIncluded, toIncluded);
  }
}

package dev.contexture.search;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Options of a search, beside its words. Immutable.
 *
 * @param mode how hits are found
 * @param contentTypes what may be found; none given means all
 * @param limit the most hits, from 1 to {@link #MAX_LIMIT}
 * @param user only messages of this user's conversations; null: of everybody in the scope
 * @param conversation only messages of conversations of this id; null: of all
 * @param roles only messages of these roles (user, assistant, tool, system, or a speaker's name);
 *     none given means all
 * @param from nothing older; null: no bound
 * @param to nothing as new as this or newer; null: no bound
 * @param raw whether the query is in the index's own syntax, with operators
 * @param minSimilarity the least cosine of a hit by meaning, from -1 to 1
 * @param metadata what archival entries must have; other types have no metadata and stay
 * @param content how much of its content a hit carries
 */
@API(status = API.Status.STABLE, since = "0.1")
public record SearchOptions(
    SearchMode mode,
    Set<SearchContentType> contentTypes,
    int limit,
    @Nullable String user,
    @Nullable String conversation,
    Set<String> roles,
    @Nullable Instant from,
    @Nullable Instant to,
    boolean raw,
    double minSimilarity,
    MetadataFilter metadata,
    SearchContent content) {
  /** The most hits of one search. */
  public static final int MAX_LIMIT = 1_000;

  /** The most code points of a query. */
  public static final int MAX_QUERY_CHARS = 10_000;

  /** The longest time that an index looks for the words of one query. */
  public static final Duration MAX_TIME = Duration.ofSeconds(5);

  /** Everything in the scope, ten hits. */
  public static final SearchOptions DEFAULT = builder().build();

  /**
   * @throws ContextureException {@code invalid_argument} or {@code limit_exceeded}
   */
  public SearchOptions {
    if (limit < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "limit", limit, "1 to " + MAX_LIMIT);
    }
    if (limit > MAX_LIMIT) {
      throw ContextureException.limit(ErrorCode.LIMIT_EXCEEDED, "limit", MAX_LIMIT, limit, "hits");
    }
    if (!(minSimilarity >= -1 && minSimilarity <= 1)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "min_similarity", minSimilarity, "-1 to 1");
    }
    if (from != null && to != null && from.isAfter(to)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "from", from, "a time before 'to', which is " + to);
    }
    contentTypes =
        contentTypes.isEmpty()
            ? Set.copyOf(EnumSet.allOf(SearchContentType.class))
            : Set.copyOf(contentTypes);
    roles = Set.copyOf(roles);
  }

  /**
   * Checks the words of a search.
   *
   * @throws ContextureException {@code limit_exceeded}
   */
  public static void checkQuery(String query) {
    int chars = query.codePointCount(0, query.length());
    if (chars > MAX_QUERY_CHARS) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "query", MAX_QUERY_CHARS, chars, "characters");
    }
  }

  /** Starts with everything in the scope, ten hits. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts with these. */
  public Builder toBuilder() {
    return builder()
        .mode(mode)
        .contentTypes(contentTypes)
        .limit(limit)
        .user(user)
        .conversation(conversation)
        .roles(roles)
        .times(from, to)
        .raw(raw)
        .minSimilarity(minSimilarity)
        .metadata(metadata)
        .content(content);
  }

  /** Collects options. Confined to one thread. */
  public static final class Builder {
    private static final int DEFAULT_LIMIT = 10;

    private SearchMode mode = SearchMode.AUTO;
    private Set<SearchContentType> contentTypes = Set.of();
    private int limit = DEFAULT_LIMIT;
    private @Nullable String user;
    private @Nullable String conversation;
    private Set<String> roles = Set.of();
    private @Nullable Instant from;
    private @Nullable Instant to;
    private boolean raw;
    private double minSimilarity;
    private MetadataFilter metadata = MetadataFilter.NONE;
    private SearchContent content = SearchContent.FULL;

    private Builder() {}

    public Builder mode(SearchMode how) {
      mode = how;
      return this;
    }

    public Builder contentTypes(Set<SearchContentType> types) {
      contentTypes = types;
      return this;
    }

    public Builder limit(int hits) {
      limit = hits;
      return this;
    }

    public Builder user(@Nullable String name) {
      user = name;
      return this;
    }

    public Builder conversation(@Nullable String id) {
      conversation = id;
      return this;
    }

    public Builder roles(Set<String> names) {
      roles = names;
      return this;
    }

    /** Only what is not older than the first and older than the second. */
    public Builder times(@Nullable Instant notOlderThan, @Nullable Instant olderThan) {
      from = notOlderThan;
      to = olderThan;
      return this;
    }

    public Builder raw(boolean inSyntax) {
      raw = inSyntax;
      return this;
    }

    public Builder minSimilarity(double cosine) {
      minSimilarity = cosine;
      return this;
    }

    /** Only archival entries whose metadata this filter accepts. */
    public Builder metadata(MetadataFilter filter) {
      metadata = filter;
      return this;
    }

    public Builder content(SearchContent much) {
      content = much;
      return this;
    }

    /**
     * @throws ContextureException {@code invalid_argument} or {@code limit_exceeded}
     */
    public SearchOptions build() {
      return new SearchOptions(
          mode,
          contentTypes,
          limit,
          user,
          conversation,
          roles,
          from,
          to,
          raw,
          minSimilarity,
          metadata,
          content);
    }
  }
}

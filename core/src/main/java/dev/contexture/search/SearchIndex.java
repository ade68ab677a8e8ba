package dev.contexture.search;

import dev.contexture.block.Scope;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The index of one tenant and project, with statistics of its own: another project's content
 * changes no score.
 *
 * <p><b>Visibility.</b> What {@link #write} wrote is found by every search that starts after it
 * returned. <b>Durability.</b> {@link #commit} makes it durable together with the position that was
 * written last; after a crash the index is what it was at some commit, with its position.
 *
 * <p><b>Threading.</b> Reads are thread-safe and run beside a write; writes and commits are made by
 * one thread at a time.
 *
 * <p><b>Failures.</b> An index that cannot be read or written any more throws {@link
 * DamagedIndexException}; its owner drops it and rebuilds it from the store.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface SearchIndex extends AutoCloseable {

  /** How far it has come, as written last. */
  IndexPosition position();

  /**
   * Applies changes in their order, and takes the position over. An entry that it cannot take is
   * parked with the reason, and the rest goes on.
   *
   * @return how many of the changes parked an entry
   */
  int write(List<IndexChange> changes, IndexPosition position);

  /**
   * Takes over a duty for a while where several processes share the index, so that one of them at a
   * time does it; another one may take it from a process that says nothing for long. Taking it
   * again keeps it. What is written without it, although another process has it, is refused.
   *
   * @return false: another process has it now
   */
  default boolean take(Duty duty) {
    return true;
  }

  /** Gives a duty back. */
  default void release(Duty duty) {}

  /** Makes everything written durable, and removes what was erased from the files. */
  void commit();

  /**
   * Entries by words, best first, equal scores by id, each once.
   *
   * @throws dev.contexture.error.ContextureException {@code invalid_argument} if a raw query has a
   *     syntax error
   */
  List<IndexHit> keyword(KeywordQuery query, IndexFilter filter, int limit);

  /**
   * Entries by cosine with a vector of length 1, best first, equal ones by id, each once with its
   * best chunk. The filter applies before ranking.
   */
  List<IndexHit> vector(float[] vector, IndexFilter filter, int limit);

  /**
   * Entries whose own words are spelled almost like those of a query: one letter too much, missing,
   * wrong or exchanged with its neighbour in words of four to seven letters, two in longer ones.
   * Those with the most such words are first, equal ones by id; neither what is found nor the
   * scores depend on what the filter does not let through. Nothing for raw queries, for those that
   * demand a phrase, and for words with digits.
   */
  default List<IndexHit> misspelled(KeywordQuery query, IndexFilter filter, int limit) {
    return List.of();
  }

  /** How texts match a query: read once, asked for each hit, by one thread. */
  Function<String, TextMatch> matcher(KeywordQuery query);

  /** The same for a query whose words may be misspelled, as {@link #misspelled} takes it. */
  default Function<String, TextMatch> misspelledMatcher(KeywordQuery query) {
    return matcher(query);
  }

  /** Whether a query holds a word at all. */
  boolean isEmpty(KeywordQuery query);

  /** The hash of the content whose words are indexed; empty: the entry is not there. */
  Optional<String> textHash(String id);

  /** The hash of the content whose vectors are there, or that is parked. */
  Optional<String> vectorHash(String id);

  /** The first and last place of the messages of a group; empty: it has none. */
  Optional<Span> span(String group);

  /**
   * Entries with words by id, for comparing the index with the store.
   *
   * @param after the last id of the page before; null for the first page
   */
  List<Indexed> entries(@Nullable String after, int limit);

  /** Entries that cannot be indexed or embedded. */
  List<Parked> parked(int limit);

  /**
   * Groups with an entry that another version of this index parked: this one may be able to take
   * it. Removing or putting the entry ends it.
   */
  default List<String> outdatedGroups(int limit) {
    return List.of();
  }

  /** How many entries it holds. */
  Counts counts();

  /** Lets go of it. */
  @Override
  void close();

  /**
   * A query.
   *
   * @param text as it was given
   * @param raw whether it is in the index's own syntax
   */
  record KeywordQuery(String text, boolean raw) {}

  /**
   * The match of a text.
   *
   * @param excerpt the part that matches best, or the beginning
   * @param words those that match, as they are written
   * @param matches whether the text by itself would be found
   * @param typos words of the query that were taken for a misspelled word of the text, with it
   */
  record TextMatch(String excerpt, List<String> words, boolean matches, Map<String, String> typos) {
    public TextMatch {
      words = List.copyOf(words);
      typos = Collections.unmodifiableMap(new LinkedHashMap<>(typos));
    }

    /** A match of words as they are written. */
    public TextMatch(String excerpt, List<String> words, boolean matches) {
      this(excerpt, words, matches, Map.of());
    }
  }

  /** Work on an index. */
  enum Duty {
    /** Taking over what the outbox says. */
    WORDS,
    /** Making vectors. */
    VECTORS
  }

  /** A stretch of a conversation, both ends included. */
  record Span(long first, long last) {}

  /** An entry with the hash of its content. */
  record Indexed(String id, String hash) {}

  /** An entry that cannot be indexed or embedded, with the reason. */
  record Parked(String id, String error) {}

  /** The numbers of entries that have words, that have vectors, and that are parked. */
  record Counts(long entries, long embedded, long parked) {}

  /** Gives out the indexes of scopes. */
  interface Provider extends AutoCloseable {
    /**
     * The index of a scope, made if it does not exist; a damaged one is dropped and starts empty.
     * To be closed after use; how long its files stay open is the provider's affair.
     */
    SearchIndex open(Scope scope);

    /** Whether a scope has an index. */
    boolean exists(Scope scope);

    /** Drops the index of a scope, so that the next {@link #open} starts with an empty one. */
    void drop(Scope scope);

    /** What kind of index it is, for a page that says what is running; empty: not said. */
    default Optional<String> kind() {
      return Optional.empty();
    }

    /** The scopes that have an index. */
    List<Scope> scopes();

    @Override
    void close();
  }

  /** The size on disk, if the index can tell. */
  default OptionalLong sizeBytes() {
    return OptionalLong.empty();
  }
}

package dev.contexture.cli.support;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.search.postgres.PostgresIndexes;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The place where a server keeps its search index. */
public enum NodeIndex {
  /** In its own directory. */
  LUCENE(LuceneIndexes.KIND),
  /** In the database of the store, for all servers. */
  POSTGRES(PostgresIndexes.KIND);

  private final String option;

  NodeIndex(String option) {
    this.option = option;
  }

  /**
   * The one that an option names.
   *
   * @throws ContextureException {@code invalid_argument} if there is none of that name
   */
  public static NodeIndex of(String option) {
    return Arrays.stream(values())
        .filter(index -> index.option.equals(option))
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "--index",
                    option,
                    Arrays.stream(values())
                        .map(index -> index.option)
                        .collect(Collectors.joining(" or "))));
  }

  /** What names it. */
  public String option() {
    return option;
  }
}

package dev.contexture.server.conversation;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads lists of which a caller may see some rows only: a page is filled with rows that may be
 * seen, so that neither its length nor its cursor tells of the others.
 */
final class VisibleRows {
  /** The most rows that are looked at for one page. */
  static final int MAX_LOOKED_AT = 100_000;

  private static final int NEXT_PAGE = 500;

  private VisibleRows() {}

  /** Rows in the order of the list. */
  interface Source<T> {
    /**
     * @param last the row to go on after; null: the first page that was asked for
     */
    List<T> after(@Nullable T last, int size);
  }

  /**
   * The next rows that may be seen, at most so many.
   *
   * @throws ContextureException {@code limit_exceeded} if there are too many others between them
   */
  static <T> List<T> read(int most, Source<T> source, Predicate<T> visible) {
    List<T> rows = new ArrayList<>();
    int size = most;
    int looked = 0;
    List<T> page = source.after(null, size);
    while (true) {
      page.stream().filter(visible).limit(most - rows.size()).forEach(rows::add);
      looked += page.size();
      if (rows.size() == most || page.size() < size) {
        return rows;
      }
      if (looked >= MAX_LOOKED_AT) {
        throw ContextureException.limit(
            ErrorCode.LIMIT_EXCEEDED, "cursor", MAX_LOOKED_AT, looked, "rows looked at");
      }
      size = NEXT_PAGE;
      page = source.after(page.getLast(), size);
    }
  }
}

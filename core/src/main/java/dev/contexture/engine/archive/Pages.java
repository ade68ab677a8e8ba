package dev.contexture.engine.archive;

import dev.contexture.store.Store;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Goes through lists that are read in pages. */
final class Pages {
  private Pages() {}

  /** Reads a page behind a key; null: the first. */
  interface Page<T> {
    List<T> after(@Nullable String key);
  }

  static <T> void of(Page<T> pages, Function<T, String> key, Consumer<T> each) {
    String after = null;
    while (true) {
      List<T> page = pages.after(after);
      page.forEach(each);
      if (page.size() < Store.MAX_PAGE) {
        return;
      }
      after = key.apply(page.getLast());
    }
  }
}

package dev.contexture.engine.archive;

import dev.contexture.block.Scope;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.Store;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Goes through lists that are read in pages. */
final class Pages {
  private Pages() {}

  /** Reads a page behind a key; null: the first. */
  interface Page<T> {
    List<T> after(@Nullable String key);
  }

  static <T> void of(Page<T> pages, Function<T, String> key, Consumer<T> each) {
    any(
        pages,
        key,
        one -> {
          each.accept(one);
          return false;
        });
  }

  /** Whether something fits; what is behind it is not read. */
  static <T> boolean any(Page<T> pages, Function<T, String> key, Predicate<T> fits) {
    String after = null;
    while (true) {
      List<T> page = pages.after(after);
      if (page.stream().anyMatch(fits)) {
        return true;
      }
      if (page.size() < Store.MAX_PAGE) {
        return false;
      }
      after = key.apply(page.getLast());
    }
  }

  /** Whether an agent has memory of a user. */
  static boolean knows(MemoryReader memory, Scope.OfAgent agent, String user) {
    return any(after -> memory.users(agent, after, Store.MAX_PAGE), name -> name, user::equals);
  }
}

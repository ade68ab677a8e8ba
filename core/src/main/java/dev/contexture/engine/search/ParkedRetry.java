package dev.contexture.engine.search;

import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.OutboxRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Indexes entries again that an earlier version of the index could not take, and lets their vectors
 * be made again. Confined to one thread.
 */
final class ParkedRetry {
  private static final int MAX_GROUPS = 1_000;

  private final SearchIndex index;
  private final LongFunction<List<OutboxRow>> outbox;
  private final Function<OutboxRow, List<IndexChange>> changes;

  /**
   * @param outbox a page of the rows behind a number
   * @param changes what a row leads to
   */
  ParkedRetry(
      SearchIndex index,
      LongFunction<List<OutboxRow>> outbox,
      Function<OutboxRow, List<IndexChange>> changes) {
    this.index = index;
    this.outbox = outbox;
    this.changes = changes;
  }

  /** Tries them all; false: there are none. What cannot be indexed now either is parked again. */
  boolean run() {
    Set<String> groups = Set.copyOf(index.outdatedGroups(MAX_GROUPS));
    Set<String> tried = new HashSet<>();
    while (tried.addAll(groups)) { // an index that does not forget them is no reason to go on
      retry(groups);
      groups = Set.copyOf(index.outdatedGroups(MAX_GROUPS));
    }
    return !tried.isEmpty();
  }

  private void retry(Set<String> groups) {
    List<IndexChange> all = new ArrayList<>();
    groups.forEach(group -> all.add(new IndexChange.RemoveGroup(group, false)));
    IndexPosition at = index.position();
    long vectors = at.vectors();
    for (OutboxRow row : last(groups, at.text())) {
      all.addAll(changes.apply(row));
      vectors = Math.min(vectors, row.number() - 1);
    }
    index.write(all, at.withVectors(vectors, at.model()));
  }

  /** The last row of each group, up to a number. */
  private List<OutboxRow> last(Set<String> groups, long upTo) {
    Map<String, OutboxRow> rows = new LinkedHashMap<>();
    long after = 0;
    while (after < upTo) {
      List<OutboxRow> page = outbox.apply(after);
      if (page.isEmpty()) {
        break;
      }
      for (OutboxRow row : page) {
        String group = RowEntry.of(row).group();
        if (row.number() <= upTo && groups.contains(group)) {
          rows.remove(group); // so that they stay in the order of their numbers
          rows.put(group, row);
        }
      }
      after = page.getLast().number();
    }
    return List.copyOf(rows.values());
  }
}

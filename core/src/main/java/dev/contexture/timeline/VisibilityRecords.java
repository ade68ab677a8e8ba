package dev.contexture.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The visibility records of a conversation: of each block either one for all views, or one per
 * budget. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VisibilityRecords {
  /** The budget of a view that has none: larger than every other. */
  public static final long NO_BUDGET = Long.MAX_VALUE;

  /** How many budgets a block has records of; the oldest gives way to a further one. */
  public static final int MAX_BUDGETS_PER_BLOCK = 16;

  static final VisibilityRecords NONE = new VisibilityRecords(Map.of());

  private final Map<Long, List<Visibility>> bySeq;
  private final NavigableSet<Long> budgets = new TreeSet<>();

  private VisibilityRecords(Map<Long, List<Visibility>> bySeq) {
    this.bySeq = bySeq;
    for (List<Visibility> ofBlock : bySeq.values()) {
      if (!ofBlock.getFirst().isForAllViews()) {
        ofBlock.forEach(record -> budgets.add(record.maxTokens()));
      }
    }
  }

  boolean isEmpty() {
    return bySeq.isEmpty();
  }

  VisibilityRecords with(Collection<Visibility> records) {
    Map<Long, List<Visibility>> next = new HashMap<>(bySeq);
    records.forEach(
        record ->
            next.merge(record.seq(), List.of(record), (known, more) -> joined(known, record)));
    return new VisibilityRecords(next);
  }

  /**
   * The records of a block and a further one. One for all views stands alone: it replaces what was
   * there, and nothing made for a budget changes it.
   *
   * @param known the budgets in rising order
   */
  public static List<Visibility> joined(List<Visibility> known, Visibility more) {
    if (more.isForAllViews() || known.isEmpty()) {
      return List.of(more);
    }
    if (known.getFirst().isForAllViews()) {
      return known;
    }
    List<Visibility> joined = new ArrayList<>(known);
    joined.removeIf(record -> record.maxTokens() == more.maxTokens());
    if (joined.size() >= MAX_BUDGETS_PER_BLOCK) {
      joined.stream().min(Comparator.comparing(Visibility::at)).ifPresent(joined::remove);
    }
    joined.add(more);
    joined.sort(Comparator.comparingLong(Visibility::maxTokens));
    return List.copyOf(joined);
  }

  VisibilityRecords without(Collection<Long> seqs) {
    Map<Long, List<Visibility>> next = new HashMap<>(bySeq);
    next.keySet().removeAll(Set.copyOf(seqs));
    return new VisibilityRecords(next);
  }

  /** Without the records that were stored with a summary. */
  VisibilityRecords withoutSummary(String id) {
    Map<Long, List<Visibility>> next = new HashMap<>();
    bySeq.forEach(
        (seq, known) -> {
          List<Visibility> left =
              known.stream().filter(record -> !id.equals(record.summaryId())).toList();
          if (!left.isEmpty()) {
            next.put(seq, left);
          }
        });
    return new VisibilityRecords(next);
  }

  /** The record of a block that counts in a view with this budget. */
  Optional<Visibility> find(long seq, long viewTokens) {
    List<Visibility> known = bySeq.get(seq);
    if (known == null) {
      return Optional.empty();
    }
    for (Visibility record : known) {
      if (record.isForAllViews() || record.maxTokens() >= viewTokens) {
        return Optional.of(record);
      }
    }
    return Optional.empty();
  }

  /** All records of a block, whatever view they count in. */
  public List<Visibility> of(long seq) {
    return bySeq.getOrDefault(seq, List.of());
  }

  /** The largest budget whose view shows the same as that of the given one. */
  public long sameView(long viewTokens) {
    @Nullable Long next = budgets.ceiling(viewTokens);
    return next == null ? NO_BUDGET : next;
  }

  /** All records: by block, then by budget. */
  public List<Visibility> all() {
    return bySeq.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(ofBlock -> ofBlock.getValue().stream())
        .toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof VisibilityRecords records && bySeq.equals(records.bySeq));
  }

  @Override
  public int hashCode() {
    return bySeq.hashCode();
  }
}

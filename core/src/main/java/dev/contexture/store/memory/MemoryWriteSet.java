package dev.contexture.store.memory;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One change of the memory of a project: what must hold, and what is then written, as a whole.
 *
 * @param scope whose
 * @param at when, cut to microseconds
 * @param preconditions judged against the state before
 * @param rows applied in this order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryWriteSet(
    Scope scope, Instant at, List<MemoryPrecondition> preconditions, List<MemoryRow> rows) {
  /** The most rows in one set. */
  public static final int MAX_ROWS = 10_000;

  /**
   * @throws ContextureException {@code invalid_argument} if the set is empty or too large
   */
  public MemoryWriteSet {
    at = at.truncatedTo(ChronoUnit.MICROS);
    preconditions = List.copyOf(preconditions);
    rows = List.copyOf(rows);
    if (rows.size() > MAX_ROWS) {
      throw ContextureException.limit(
          ErrorCode.INVALID_ARGUMENT, "rows", MAX_ROWS, rows.size(), "rows");
    }
    if (rows.isEmpty()) {
      throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, "rows", null, "at least one");
    }
  }

  public static Builder of(Scope scope, Instant at) {
    return new Builder(scope, at);
  }

  /** Collects a memory write set. Confined to one thread. */
  public static final class Builder {
    private final Scope scope;
    private final Instant at;
    private final List<MemoryPrecondition> preconditions = new ArrayList<>();
    private final List<MemoryRow> rows = new ArrayList<>();

    private Builder(Scope scope, Instant at) {
      this.scope = scope;
      this.at = at;
    }

    /** When the set is made. */
    public Instant at() {
      return at;
    }

    public Builder expect(MemoryPrecondition precondition) {
      preconditions.add(precondition);
      return this;
    }

    public Builder add(MemoryRow row) {
      rows.add(row);
      return this;
    }

    public MemoryWriteSet build() {
      return new MemoryWriteSet(scope, at, preconditions, rows);
    }
  }
}

package dev.contexture.store;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One change of one conversation: what must hold, and what is then written, as a whole.
 *
 * @param conversation whose
 * @param at when, cut to microseconds; becomes the last activity, unless no row raises the version
 * @param preconditions judged against the state before
 * @param rows applied in this order
 * @param note a compact description for {@link Store#changes}; must hold ids and numbers only, no
 *     text of blocks, because erasing a turn does not look into it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WriteSet(
    Scope.OfConversation conversation,
    Instant at,
    List<Precondition> preconditions,
    List<Row> rows,
    @Nullable JsonObject note) {
  /** The most records (blocks, visibility records, other rows) in one set. */
  public static final int MAX_RECORDS = 100_000;

  /**
   * @throws ContextureException {@code invalid_argument} if the set is empty or too large, {@code
   *     id_conflict} if two of its blocks have the same id
   */
  public WriteSet {
    at = at.truncatedTo(ChronoUnit.MICROS);
    preconditions = List.copyOf(preconditions);
    rows = List.copyOf(rows);
    long records = 0;
    for (Row row : rows) {
      records += row.size();
    }
    if (records > MAX_RECORDS) {
      throw ContextureException.limit(
          ErrorCode.INVALID_ARGUMENT, "rows", MAX_RECORDS, records, "records");
    }
    if (rows.isEmpty()) {
      throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, "rows", null, "at least one");
    }
    checkIds(rows);
  }

  private static void checkIds(List<Row> rows) {
    Set<String> ids = new HashSet<>();
    for (Row row : rows) {
      for (String id : row.blockIds()) {
        if (!ids.add(id)) {
          throw ContextureException.invalid(
              ErrorCode.ID_CONFLICT, "id", id, "each id once in one call");
        }
      }
    }
  }

  public static Builder of(Scope.OfConversation conversation, Instant at) {
    return new Builder(conversation, at);
  }

  /** Whether committing the set raises the version of its conversation. */
  public boolean raisesVersion() {
    for (Row row : rows) {
      if (row.raisesVersion()) {
        return true;
      }
    }
    return false;
  }

  /** Collects a write set. Confined to one thread. */
  public static final class Builder {
    private final Scope.OfConversation conversation;
    private final Instant at;
    private final List<Precondition> preconditions = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private @Nullable JsonObject note;

    private Builder(Scope.OfConversation conversation, Instant at) {
      this.conversation = conversation;
      this.at = at;
    }

    public Builder expect(Precondition precondition) {
      preconditions.add(precondition);
      return this;
    }

    public Builder add(Row row) {
      rows.add(row);
      return this;
    }

    /** A row that appends these blocks. */
    public Builder append(List<NewBlock> blocks) {
      return add(new Row.AppendBlocks(blocks));
    }

    public Builder note(JsonObject note) {
      this.note = note;
      return this;
    }

    public WriteSet build() {
      return new WriteSet(conversation, at, preconditions, rows, note);
    }
  }
}

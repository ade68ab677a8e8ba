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
 * One change of a conversation or of the memory of a project, or of both: what must hold, and what
 * is then written, as a whole.
 *
 * @param scope the project
 * @param conversation whose; null: only memory of the project is written
 * @param at when, cut to microseconds; becomes the last activity of the conversation, unless no row
 *     raises its version
 * @param preconditions checked against the state before
 * @param rows applied in this order
 * @param note a compact description for {@link Store#changes}; must hold ids and numbers only, no
 *     text of blocks, because erasing a turn does not look into it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WriteSet(
    Scope scope,
    Scope.@Nullable OfConversation conversation,
    Instant at,
    List<Precondition> preconditions,
    List<Row> rows,
    @Nullable JsonObject note) {
  /** The most records (blocks, visibility records, other rows) in one set. */
  public static final int MAX_RECORDS = 100_000;

  /**
   * @throws ContextureException {@code invalid_argument} if the set is empty or too large, or names
   *     a conversation of another project or needs one and has none, {@code id_conflict} if two of
   *     its blocks have the same id
   */
  public WriteSet {
    at = at.truncatedTo(ChronoUnit.MICROS);
    preconditions = List.copyOf(preconditions);
    rows = List.copyOf(rows);
    checkSize(rows);
    checkConversation(scope, conversation, preconditions, rows);
    checkIds(rows);
  }

  private static void checkSize(List<Row> rows) {
    long records = 0;
    for (Row row : rows) {
      records += row.recordCount();
    }
    if (records > MAX_RECORDS) {
      throw ContextureException.limit(
          ErrorCode.INVALID_ARGUMENT, "rows", MAX_RECORDS, records, "records");
    }
    if (rows.isEmpty()) {
      throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, "rows", null, "at least one");
    }
  }

  private static void checkConversation(
      Scope scope,
      Scope.@Nullable OfConversation conversation,
      List<Precondition> preconditions,
      List<Row> rows) {
    if (conversation != null) {
      if (!conversation.owner().scope().equals(scope)) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "conversation", conversation, "one of " + scope);
      }
    } else if (rows.stream().anyMatch(Row.OfConversation.class::isInstance)
        || preconditions.stream().anyMatch(Precondition.OfConversation.class::isInstance)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "conversation", null, "one, for rows of a conversation");
    }
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

  /** A set that may write to a conversation, and to the memory of its project. */
  public static Builder of(Scope.OfConversation conversation, Instant at) {
    return new Builder(conversation.owner().scope(), conversation, at);
  }

  /** A set that writes to the memory of a project. */
  public static Builder of(Scope scope, Instant at) {
    return new Builder(scope, null, at);
  }

  /** The same with other rows. */
  public WriteSet withRows(List<Row> others) {
    return new WriteSet(scope, conversation, at, preconditions, others, note);
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
    private final Scope scope;
    private final Scope.@Nullable OfConversation conversation;
    private final Instant at;
    private final List<Precondition> preconditions = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private @Nullable JsonObject note;

    private Builder(Scope scope, Scope.@Nullable OfConversation conversation, Instant at) {
      this.scope = scope;
      this.conversation = conversation;
      this.at = at;
    }

    /** When the set is made. */
    public Instant at() {
      return at;
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
      return new WriteSet(scope, conversation, at, preconditions, rows, note);
    }
  }
}

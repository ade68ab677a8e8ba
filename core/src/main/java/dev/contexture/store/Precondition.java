package dev.contexture.store;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.TurnStatus;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for a write set to be applied. Closed: every store judges all of them.
 *
 * <p>Some things are checked without being asked for: an appended block must have an unused id, if
 * it has one, and a known turn; its binary content must have been put; ids of summaries and ranges
 * and keys of outcomes must be unused; memory blocks whose content an epoch or a request record
 * holds must not be erased. They too lead to a {@link Commit.Conflict}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Precondition {

  /** The conversation has this version; 0: nothing was committed yet. */
  record VersionIs(long version) implements Precondition {}

  /** The turn exists and has this status. */
  record TurnIs(TurnId turn, TurnStatus status) implements Precondition {}

  /** The conversation has no turn of this id. */
  record TurnUnused(TurnId turn) implements Precondition {}

  /**
   * No turn is open, or only the one given.
   *
   * @param except the turn that may be open; null: none may
   */
  record NoOpenTurn(@Nullable TurnId except) implements Precondition {}

  /**
   * The newest usable summary (T-21) is this one.
   *
   * @param summaryId null: there is none
   */
  record NewestSummaryIs(@Nullable String summaryId) implements Precondition {}

  /**
   * Since a version nothing happened to the blocks from one sequence number up to, not including,
   * another: no turn with blocks there changed its status, no archived range that meets them was
   * made, none of their visibility records was put or dropped, and none was erased (T-97).
   */
  record UnchangedSince(long version, long fromSeq, long toSeq) implements Precondition {}

  /** The next source gets this sid. */
  record NextSidIs(long sid) implements Precondition {}

  /** The conversation has no title. */
  record NoTitle() implements Precondition {}

  /** That since a version no turn was erased. */
  static Precondition nothingErasedSince(long version) {
    return new UnchangedSince(version, 1, 1); // no block lies there
  }

  /** That a turn is open. */
  static Precondition open(TurnId turn) {
    return new TurnIs(turn, TurnStatus.OPEN);
  }
}

package dev.contexture.store;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.TurnStatus;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A condition that must hold for a write set to be applied. Closed: every store judges all of them.
 *
 * <p>Some things are checked without being asked for: an appended block must have an unused id, if
 * it has one, and a known turn; its binary content must have been put; ids of summaries and ranges
 * and keys of outcomes must be unused; memory blocks whose content an epoch or a request record
 * holds must not be erased; and what {@link MemoryRow} says of its rows. They too lead to a {@link
 * Commit.Conflict}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Precondition {
  /** About the conversation of the set. */
  sealed interface OfConversation extends Precondition {}

  /** About the memory of the project. */
  sealed interface OfMemory extends Precondition {}

  /** The conversation has this version; 0: nothing was committed yet. */
  record VersionIs(long version) implements OfConversation {}

  /** The turn exists and has this status. */
  record TurnIs(TurnId turn, TurnStatus status) implements OfConversation {}

  /** The conversation has no turn of this id. */
  record TurnUnused(TurnId turn) implements OfConversation {}

  /**
   * No turn is open, or only the one given.
   *
   * @param except the turn that may be open; null: none may
   */
  record NoOpenTurn(@Nullable TurnId except) implements OfConversation {}

  /**
   * The newest usable summary is this one.
   *
   * @param summaryId null: there is none
   */
  record NewestSummaryIs(@Nullable String summaryId) implements OfConversation {}

  /**
   * Since a version nothing happened to the blocks from one sequence number up to, not including,
   * another: no turn with blocks there changed its status, no archived range that meets them was
   * made, none of their visibility records was put or dropped, and none was erased.
   */
  record UnchangedSince(long version, long fromSeq, long toSeq) implements OfConversation {}

  /** The next source gets this sid. */
  record NextSidIs(long sid) implements OfConversation {}

  /** The conversation has no title. */
  record NoTitle() implements OfConversation {}

  /** The newest update of the memory block has this number. */
  record SeqIs(String block, long seq) implements OfMemory {}

  /** The settings of the memory block have this version; 0: there is no such block. */
  record SettingsAre(String block, long version) implements OfMemory {}

  /** The share of the memory block with the agent has this version; 0: there never was one. */
  record ShareIs(String block, String agent, long version) implements OfMemory {}

  /** The checkpoint of the memory block ends with this update; 0: it has none. */
  record CheckpointIs(String block, long seq) implements OfMemory {}

  /**
   * The agent owns fewer live memory blocks than this.
   *
   * @param user those of this user of the agent; null: those for all users
   */
  record BlocksBelow(String owner, @Nullable String user, long limit) implements OfMemory {}

  /** Fewer questions than this are open, and not expired when the set was made. */
  record ConsentsBelow(long limit) implements OfMemory {}

  /** That since a version no turn was erased. */
  static Precondition nothingErasedSince(long version) {
    return new UnchangedSince(version, 1, 1); // no block lies there
  }

  /** That a turn is open. */
  static Precondition open(TurnId turn) {
    return new TurnIs(turn, TurnStatus.OPEN);
  }
}

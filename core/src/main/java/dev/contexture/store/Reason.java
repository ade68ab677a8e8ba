package dev.contexture.store;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.TurnStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The reason why a write set was not applied. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Reason {

  /** The conversation has another version. */
  record VersionDiffers(long expected, long actual) implements Reason {}

  /**
   * A turn is not what it should be.
   *
   * @param actual its status; null: there is no such turn
   */
  record TurnDiffers(TurnId turn, TurnStatus expected, @Nullable TurnStatus actual)
      implements Reason {}

  /** A row names a turn that does not exist. */
  record TurnUnknown(TurnId turn) implements Reason {}

  /** A turn of this id exists. */
  record TurnUsed(TurnId turn) implements Reason {}

  /** Another turn is open. */
  record TurnOpen(TurnId turn) implements Reason {}

  /**
   * Blocks with these ids exist.
   *
   * @param seqs their sequence numbers by id; 0 for one that is kept with its turn and has none
   */
  record BlockIdsUsed(Map<String, Long> seqs) implements Reason {
    public BlockIdsUsed {
      seqs = Collections.unmodifiableMap(new LinkedHashMap<>(seqs));
    }
  }

  /** Another summary is the newest usable one; null: none is. */
  record SummaryDiffers(@Nullable String expected, @Nullable String actual) implements Reason {}

  /** A summary of this id exists. */
  record SummaryUsed(String id) implements Reason {}

  /** There is no such summary, or it is withdrawn. */
  record SummaryGone(String id) implements Reason {}

  /** An archived range of this id exists. */
  record RangeUsed(String id) implements Reason {}

  /** Something happened to a range of blocks since a version. */
  record RangeChanged(long version, long fromSeq, long toSeq) implements Reason {}

  /** The next source gets another sid. */
  record NextSidDiffers(long expected, long actual) implements Reason {}

  /** There is a title. */
  record Titled(String title) implements Reason {}

  /** The operation was done; this is what it led to. */
  record AlreadyDone(Outcome outcome) implements Reason {}

  /** Memory blocks whose content the set holds are erased: make it again without them. */
  record MemoryErased(Set<String> blocks) implements Reason {
    public MemoryErased {
      blocks = Set.copyOf(blocks);
    }
  }

  /** Binary content that the set refers to is not there: put it and commit again. */
  record BinariesMissing(Set<String> sha256) implements Reason {
    public BinariesMissing {
      sha256 = Set.copyOf(sha256);
    }
  }

  /** The newest update of the memory block has another number. */
  record SeqDiffers(String block, long expected, long actual) implements Reason {}

  /** The settings of the memory block have another version. */
  record SettingsDiffer(String block, long expected, long actual) implements Reason {}

  /** The share has another version. */
  record ShareDiffers(String block, String agent, long expected, long actual) implements Reason {}

  /** The checkpoint of the memory block ends elsewhere. */
  record CheckpointDiffers(String block, long expected, long actual) implements Reason {}

  /** There is no such memory block, it is deleted, or, where one is to be restored, it is not. */
  record BlockGone(String block) implements Reason {}

  /** A live memory block of the owner has the label. */
  record LabelTaken(String owner, String label, String block) implements Reason {}

  /** A memory block, entry or question of this id exists. */
  record IdUsed(String id) implements Reason {}

  /** The agent owns as many live memory blocks as it may. */
  record TooManyBlocks(String owner, long limit, long actual) implements Reason {}

  /** The number of open questions is at its limit. */
  record TooManyConsents(long limit, long actual) implements Reason {}

  /** The question is unknown, answered or expired. */
  record ConsentClosed(String id) implements Reason {}
}

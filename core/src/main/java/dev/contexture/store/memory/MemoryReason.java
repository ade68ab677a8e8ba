package dev.contexture.store.memory;

import org.apiguardian.api.API;

/** Why a memory write set was not applied. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface MemoryReason {

  /** The newest update of the block has another number. */
  record SeqDiffers(String block, long expected, long actual) implements MemoryReason {}

  /** The settings of the block have another version. */
  record SettingsDiffer(String block, long expected, long actual) implements MemoryReason {}

  /** The share has another version. */
  record ShareDiffers(String block, String agent, long expected, long actual)
      implements MemoryReason {}

  /** The checkpoint of the block ends elsewhere. */
  record CheckpointDiffers(String block, long expected, long actual) implements MemoryReason {}

  /** There is no such block, it is deleted, or, where one is to be restored, it is not. */
  record BlockGone(String block) implements MemoryReason {}

  /** A live block of the owner has the label. */
  record LabelTaken(String owner, String label, String block) implements MemoryReason {}

  /** A block, entry or question of this id exists. */
  record IdUsed(String id) implements MemoryReason {}

  /** The agent owns as many live blocks as it may. */
  record TooManyBlocks(String owner, long limit, long actual) implements MemoryReason {}

  /** As many questions are open as may be. */
  record TooManyConsents(long limit, long actual) implements MemoryReason {}

  /** The question is unknown, answered or expired. */
  record ConsentClosed(String id) implements MemoryReason {}
}

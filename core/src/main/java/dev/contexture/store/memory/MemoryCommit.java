package dev.contexture.store.memory;

import org.apiguardian.api.API;

/** What became of a memory write set. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface MemoryCommit {

  /**
   * Applied, and durable.
   *
   * @param lastEvent the number of the last event that it added; 0: it added none
   */
  record Committed(long lastEvent) implements MemoryCommit {}

  /**
   * Not applied: something did not hold. Nothing changed.
   *
   * @param reason the first thing that did not hold
   */
  record Conflict(MemoryReason reason) implements MemoryCommit {}
}

package dev.contexture.compaction;

import org.apiguardian.api.API;

/**
 * Hears of attempts to compact: once before, with what is planned, and once after, with what came
 * of it; not at all where nothing is due. {@link CompactionReport#stats} has the numbers.
 *
 * <p>Called on the thread that renders, without a lock. What is thrown is logged and ignored.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface CompactionHooks {
  /** Hears nothing. */
  CompactionHooks NONE = new CompactionHooks() {};

  /** An attempt begins; the report has the status {@code started} and the planned numbers. */
  default void onBeforeCompaction(CompactionReport report) {}

  /** The attempt has ended. */
  default void onAfterCompaction(CompactionReport report) {}
}

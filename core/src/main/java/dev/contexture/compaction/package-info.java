/**
 * Puts a summary in place of older blocks when a context grows too large.
 *
 * <p>In: a {@link dev.contexture.timeline.Timeline}, how its blocks are emitted and counted, and a
 * {@link dev.contexture.compaction.CompactionBudget}. Out: a {@link
 * dev.contexture.compaction.CompactionPlan} that says what would be cut and why, or why not; with
 * the texts of a {@link dev.contexture.compaction.summary.Summarizer} it becomes a {@link
 * dev.contexture.compaction.CompactionOutcome}: the visibility records and the summary to be
 * stored. Nothing here stores, waits or reads a clock; the only call to the outside is that of the
 * summariser, in a step of its own.
 *
 * <p>Invariants: no pair of call and result is separated, the first block that is kept is never a
 * result, calls that still wait for their result stay, and nothing that is stored changes.
 *
 * <pre>{@code
 * CompactionBudget budget = CompactionBudget.of(CompactionPolicy.STANDARD, 32_000).system(900);
 * CompactionOutcome outcome =
 *     Compactor.of(emitter, Filters.NONE, budget).compact(timeline, summarizer, "su_1", now);
 * }</pre>
 */
@NullMarked
package dev.contexture.compaction;

import org.jspecify.annotations.NullMarked;

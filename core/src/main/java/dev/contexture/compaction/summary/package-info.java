/**
 * The writing of summaries: what a summariser is asked and what it drafts.
 *
 * <p>In: the texts of turns that a compaction leaves out. Out: a {@link
 * dev.contexture.compaction.summary.SummaryDraft}. Nothing here decides what is left out.
 */
@NullMarked
package dev.contexture.compaction.summary;

import org.jspecify.annotations.NullMarked;

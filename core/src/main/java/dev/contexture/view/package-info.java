/**
 * The stable stream: which blocks of a timeline a model sees, what each emits, and what it costs.
 *
 * <p>In: a {@link dev.contexture.timeline.Timeline} and options. Out: a {@link
 * dev.contexture.view.View}: the emitting blocks oldest first, with replacements applied, their
 * rounds and call batches, cache points, and the reason of everything that is left out. Nothing
 * here changes a timeline; hiding and pruning return the visibility records to be stored.
 */
@NullMarked
package dev.contexture.view;

import org.jspecify.annotations.NullMarked;

/**
 * Measurements: each a command that prints a table, or one JSON object with the figures, the peers'
 * figures of the same run, and what they were measured with.
 *
 * <p>In: a name, files and the flags {@code --json} and {@code --quick}. Out: a {@link
 * dev.contexture.bench.support.BenchReport}. A comparison is always made in one run, on one
 * machine, and reported as a ratio.
 *
 * <pre>{@code
 * bench/run render --quick
 * }</pre>
 */
@NullMarked
package dev.contexture.bench;

import org.jspecify.annotations.NullMarked;

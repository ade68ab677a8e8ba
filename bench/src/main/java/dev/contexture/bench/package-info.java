/**
 * Measurements, each a class with {@code run(args, out)} that prints a table, or with {@code
 * --json} one JSON object. Peers and limits are measured in the same run, alternating, so that a
 * busy machine slows both.
 */
@NullMarked
package dev.contexture.bench;

import org.jspecify.annotations.NullMarked;

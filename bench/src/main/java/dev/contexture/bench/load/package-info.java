/** Measurements of a server as a process of its own: load, attacks, kills, start. */
@NullMarked
package dev.contexture.bench.load;

import org.jspecify.annotations.NullMarked;

/** Recorded sessions replayed through the engine, and what they cost with prompt caching. */
@NullMarked
package dev.contexture.bench.replay;

import org.jspecify.annotations.NullMarked;

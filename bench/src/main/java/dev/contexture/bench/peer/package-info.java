/** Other libraries behind one interface, to measure the same on both sides. */
@NullMarked
package dev.contexture.bench.peer;

import org.jspecify.annotations.NullMarked;

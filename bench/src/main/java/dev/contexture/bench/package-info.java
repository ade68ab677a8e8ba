/** Measurements: a name and files in, a table or one JSON object out. */
@NullMarked
package dev.contexture.bench;

import org.jspecify.annotations.NullMarked;

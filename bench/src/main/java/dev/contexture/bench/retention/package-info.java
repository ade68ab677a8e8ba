/** The measurement of what a context still holds of what was said: needles, dialogues, sessions. */
@NullMarked
package dev.contexture.bench.retention;

import org.jspecify.annotations.NullMarked;

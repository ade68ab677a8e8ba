/** Whether a request is let in, and as whom; the keys themselves are in {@code keys}. */
@NullMarked
package dev.contexture.server.access;

import org.jspecify.annotations.NullMarked;

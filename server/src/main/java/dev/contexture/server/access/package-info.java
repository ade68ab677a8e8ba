/**
 * Access checks: whether a request is let in, and as which caller; the keys themselves are in
 * {@code keys}.
 */
@NullMarked
package dev.contexture.server.access;

import org.jspecify.annotations.NullMarked;

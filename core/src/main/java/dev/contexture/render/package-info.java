/**
 * The stable stream and the tail as what a model gets: one transcript, or messages with roles.
 *
 * <p>In: a view. Out: a rendered context, the same bytes every time.
 */
@NullMarked
package dev.contexture.render;

import org.jspecify.annotations.NullMarked;

/**
 * The part that acts: it alone talks to stores, clocks and models.
 *
 * <p>In: calls of users. Out: durable conversations, contexts and requests.
 */
@NullMarked
package dev.contexture.engine;

import org.jspecify.annotations.NullMarked;

/**
 * The record of what a conversation sent: each request is kept before it leaves, as what it adds to
 * the one before, and is compared with that one.
 *
 * <p>In: a written request. Out: how it relates to the last one, what changed and who changed it,
 * how long caches should live. Inside the session's lock.
 */
@NullMarked
package dev.contexture.engine.ledger;

import org.jspecify.annotations.NullMarked;

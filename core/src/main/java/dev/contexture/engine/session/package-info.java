/**
 * A loaded conversation and what all conversations of an engine share.
 *
 * <p>In: rows of the store. Out: a {@link dev.contexture.engine.session.Session}, which holds the
 * lock of the conversation, its window, and what others keep with it while it is loaded. All writes
 * of a conversation go through {@code Session.commit}.
 */
@NullMarked
package dev.contexture.engine.session;

import org.jspecify.annotations.NullMarked;

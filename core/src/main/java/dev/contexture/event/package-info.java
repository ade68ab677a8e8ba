/**
 * Events: what happened, what is going on, and who listens. In: changes that are durable, work that
 * begins and ends. Out: calls of listeners, in the order of the changes of one conversation.
 */
@NullMarked
package dev.contexture.event;

import org.jspecify.annotations.NullMarked;

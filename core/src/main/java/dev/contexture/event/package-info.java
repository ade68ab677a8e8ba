/**
 * What happened, and who listens. In: changes that are durable. Out: calls of listeners, in the
 * order of the changes of one conversation.
 */
@NullMarked
package dev.contexture.event;

import org.jspecify.annotations.NullMarked;

/**
 * The parts of a request beside the conversation: memory blocks, their changes, recent activity,
 * and the limits within which all of it has to fit.
 *
 * <p>In: blocks and events as values, a token meter, a {@link dev.contexture.prompt.ContextConfig}.
 * Out: texts, and {@link dev.contexture.prompt.ContextMetadata} that says what is in a request and
 * why. Pure: the same input gives the same text.
 */
@NullMarked
package dev.contexture.prompt;

import org.jspecify.annotations.NullMarked;

/**
 * Imports histories: a message list of another program becomes turns of blocks.
 *
 * <p>In: the list, or a body that holds it. Out: complete turns, the instructions among the
 * messages, and what had to be repaired. Pure; nothing is stored here.
 */
@NullMarked
package dev.contexture.provider.history;

import org.jspecify.annotations.NullMarked;

/**
 * Values that are given to a turn and come back from it: how it starts and ends, answers and calls
 * of models, results of tools, what was read, rendered or stored.
 *
 * <p>Values only: nothing here talks to a store. The work is done in {@code engine.turn}.
 */
@NullMarked
package dev.contexture.turn;

import org.jspecify.annotations.NullMarked;

/**
 * Parts that all wire formats share, and the type that a format is.
 *
 * <p>In: neutral input, the bytes of answers, bodies from anywhere. Out: bodies with their blocks
 * and cache marks, answers, bodies taken apart. Invariants: equal input gives equal bytes; what a
 * provider gave comes back to it byte for byte; a mark changes no byte but its own; what is left
 * out or moved is a finding; no provider is known here.
 *
 * <p>Two groups: {@code BodyWriter} and what it writes with, {@code BodyParser} with the model of a
 * body that rules read. What reads answers is in {@code answer}.
 */
@NullMarked
package dev.contexture.provider.wire;

import org.jspecify.annotations.NullMarked;

/**
 * Answers of models, whole or in a stream, and their errors, read into one form. Knows JSON and
 * answers only; no provider is known here.
 */
@NullMarked
package dev.contexture.provider.wire.answer;

import org.jspecify.annotations.NullMarked;

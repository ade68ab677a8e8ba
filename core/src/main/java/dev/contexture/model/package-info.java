/**
 * Models as values: what is known about them, and what one of them answered.
 *
 * <p>In: names of models, and answers that a provider format has read. Out: values that other steps
 * ask for facts. Nothing here knows a wire format.
 *
 * <pre>{@code
 * while (!answer.outcome().done()) { ... }
 * }</pre>
 */
@NullMarked
package dev.contexture.model;

import org.jspecify.annotations.NullMarked;

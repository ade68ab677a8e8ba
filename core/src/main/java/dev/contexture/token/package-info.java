/**
 * Token counts of texts, pictures and documents.
 *
 * <p>In: texts, pictures, documents. Out: whole numbers. One counter counts everything of a render;
 * encodings are loaded when they are first used.
 *
 * <pre>{@code
 * TokenMeter meter = TokenMeter.of(TokenCounter.O200K_BASE);
 * long tokens = meter.texts(List.of("Weather in Oslo?"));
 * }</pre>
 */
@NullMarked
package dev.contexture.token;

import org.jspecify.annotations.NullMarked;

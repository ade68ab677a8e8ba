/**
 * Gemini's generateContent: its writer, parser and readers, behind {@link
 * dev.contexture.provider.gemini.GeminiFormat}. Beside them what its models want of messages and
 * signatures.
 */
@NullMarked
package dev.contexture.provider.gemini;

import org.jspecify.annotations.NullMarked;

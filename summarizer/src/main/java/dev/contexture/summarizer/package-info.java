/**
 * Summaries written by a model, through the providers' own libraries.
 *
 * <p>In go the blocks of a {@link dev.contexture.compaction.summary.SummaryRequest}, out comes a
 * text, or a {@code summarizer_failed} that says why there is none. A key is never in a message, a
 * log or a {@code toString}.
 *
 * <pre>{@code
 * Summarizer writer = AnthropicSummarizer.of(ModelEndpoint.of("claude-haiku-4-5", key));
 * Contexture engine = Contexture.open(directory, settings -> settings.summarizer(writer));
 * }</pre>
 */
@NullMarked
package dev.contexture.summarizer;

import org.jspecify.annotations.NullMarked;

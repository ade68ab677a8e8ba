/**
 * Reads answers: the bytes of one, whole or streamed, become a {@link
 * dev.contexture.model.ModelAnswer}.
 *
 * <p>Invariants: nothing of an answer is lost or reworded; the split of a stream into reads does
 * not matter; size and depth are bounded. The package knows JSON, the values of a reply and the
 * catalogue, and nothing else of the engine, so that it can read answers found anywhere.
 *
 * <pre>{@code
 * AnswerStream stream = AnswerReader.openAiChat().open(model);
 * for (byte[] chunk : chunks) stream.accept(chunk);
 * Reply reply = stream.end();
 * }</pre>
 */
@NullMarked
package dev.contexture.provider.answer;

import org.jspecify.annotations.NullMarked;

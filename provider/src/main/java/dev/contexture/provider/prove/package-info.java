/**
 * Judges requests: does a provider take this body? (P-13)
 *
 * <p>In: a body as it would be sent, whoever made it, and what is known about its model. Out: the
 * rules that it breaks. Invariants: pure; the package knows JSON and the facts about models, and
 * nothing else of the engine; what only the engine knows (what was received, what was sent before)
 * reaches it as {@link ProofFacts}.
 *
 * <pre>{@code
 * Proof proof = Prover.of(ModelCatalogue.shipped()).check("openai-chat", model, body);
 * }</pre>
 */
@NullMarked
package dev.contexture.provider.prove;

import org.jspecify.annotations.NullMarked;

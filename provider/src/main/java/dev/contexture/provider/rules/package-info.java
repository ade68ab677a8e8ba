/**
 * Judges requests and repairs them: does a provider take this body?
 *
 * <p>In: a body as it would be sent, whoever made it, and what is known about its model. Out: the
 * rules that it breaks, or a request that breaks none. Invariants: pure; rules know JSON and the
 * facts about models, and nothing of the engine: what only that knows (what was received, what was
 * sent before) reaches them as {@code ProofFacts}; nothing that judges knows what writes.
 *
 * <pre>{@code
 * Proof proof = Prover.of(ModelCatalogue.shipped()).check(new ChatFormat(), model, body);
 * }</pre>
 */
@NullMarked
package dev.contexture.provider.rules;

import org.jspecify.annotations.NullMarked;

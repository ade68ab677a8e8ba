/**
 * Writes requests: neutral input becomes the exact body for a provider, with its cache marks.
 *
 * <p>Invariants: equal input gives equal bytes; what a provider gave comes back to it byte for
 * byte; a mark changes no byte but its own. What is left out or moved is a finding.
 *
 * <pre>{@code
 * RequestWriter writer = RequestWriters.anthropicMessages(ModelCatalogue.shipped());
 * byte[] body = writer.write(input).body().bytes();
 * }</pre>
 */
@NullMarked
package dev.contexture.provider.request;

import org.jspecify.annotations.NullMarked;

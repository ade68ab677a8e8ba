/**
 * From an assembled context to a provider's request, and from a reply back to parts.
 *
 * <p>In: system texts, tools, native messages, cache points and limits. Out: the exact body with
 * its marks, made by a {@link dev.contexture.request.ProviderFormat} that somebody else supplies.
 * Everything is pure: equal input gives equal bytes.
 *
 * <pre>{@code
 * ProviderRequest request = writer.write(RequestInput.builder(model, 1024).messages(messages).build());
 * }</pre>
 */
@NullMarked
package dev.contexture.request;

import org.jspecify.annotations.NullMarked;

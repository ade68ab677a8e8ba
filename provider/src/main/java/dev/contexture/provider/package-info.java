/**
 * The providers' wire formats behind {@code ProviderFormat}.
 *
 * <p>In: a request in neutral form, or the bytes of an answer. Out: the exact body for a provider,
 * or a {@link dev.contexture.model.ModelAnswer}. Everything is pure: no input or output, no clock.
 *
 * <pre>{@code
 * ProviderFormats formats = ProviderFormats.of(ModelCatalogue.shipped());
 * Reply reply = formats.forModel(model).readAnswer(bytes, model);
 * }</pre>
 */
@NullMarked
package dev.contexture.provider;

import org.jspecify.annotations.NullMarked;

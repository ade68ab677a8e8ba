/**
 * The providers' wire formats behind {@code ProviderFormat}.
 *
 * <p>In: a request in neutral form, or the bytes of an answer. Out: the exact body for a provider,
 * or a {@link dev.contexture.model.ModelAnswer}. Everything is pure: no input or output, no clock.
 *
 * <p>A provider is one package behind one {@link dev.contexture.provider.wire.WireFormat}, one line
 * in {@link dev.contexture.provider.BuiltInProviders#FORMATS} and one section of the catalogue.
 *
 * <pre>{@code
 * Providers providers = BuiltInProviders.of(ModelCatalogue.shipped());
 * Providers.Target target = providers.resolve(null, "claude-opus-5");
 * ModelAnswer answer = target.format().readAnswer(bytes, target.model());
 * }</pre>
 */
@NullMarked
package dev.contexture.provider;

import org.jspecify.annotations.NullMarked;

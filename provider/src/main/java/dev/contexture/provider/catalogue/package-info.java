/**
 * The model catalogue: facts about models, from one JSON file with a source for each of them.
 *
 * <p>In: the shipped file or a newer one. Out: a {@link dev.contexture.model.ModelProfile} for any
 * name. A file with a value that cannot be is refused as a whole.
 *
 * <pre>{@code
 * ModelProfile profile = ModelCatalogue.shipped().profile(new ModelRef("openai", "gpt-4o"));
 * }</pre>
 */
@NullMarked
package dev.contexture.provider.catalogue;

import org.jspecify.annotations.NullMarked;

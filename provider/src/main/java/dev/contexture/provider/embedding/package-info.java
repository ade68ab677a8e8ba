/** Embedders that call a service. In: texts. Out: vectors, or why there are none. */
@NullMarked
package dev.contexture.provider.embedding;

import org.jspecify.annotations.NullMarked;

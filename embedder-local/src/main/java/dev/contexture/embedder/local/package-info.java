/** Embedding models that run in the process, with weights that come in their jars. */
@NullMarked
package dev.contexture.embedder.local;

import org.jspecify.annotations.NullMarked;

/** In: an embedding model of LangChain4j. Out: an embedder for search. */
@NullMarked
package dev.contexture.embedder.langchain4j;

import org.jspecify.annotations.NullMarked;

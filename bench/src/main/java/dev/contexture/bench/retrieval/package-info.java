/** Measurements of search: what it finds in sets with judged answers, and how it scales. */
@NullMarked
package dev.contexture.bench.retrieval;

import org.jspecify.annotations.NullMarked;

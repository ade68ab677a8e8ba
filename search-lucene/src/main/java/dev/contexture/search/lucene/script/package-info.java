/**
 * Words of scripts whose rules need no guess of a language. In: words as they are split. Out: pairs
 * of letters where there are no blanks, and stems.
 */
@NullMarked
package dev.contexture.search.lucene.script;

import org.jspecify.annotations.NullMarked;

/** Copying of a whole store into another, table by table, resumable and compared at the end. */
@NullMarked
package dev.contexture.store.jdbc.copy;

import org.jspecify.annotations.NullMarked;

/** Numbered scripts that bring the tables of a database up to date, each run once and checked. */
@NullMarked
package dev.contexture.store.jdbc.schema;

import org.jspecify.annotations.NullMarked;

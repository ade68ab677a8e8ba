/**
 * Retention: rules for how long things are kept.
 *
 * <p>In: rules by age or number. Out: a report of what outlived them, and nothing of it left in the
 * store. Without rules everything is kept for ever.
 */
@NullMarked
package dev.contexture.engine.retention;

import org.jspecify.annotations.NullMarked;

/**
 * The meaning of memory rows: settings, notes, notices and steps, read from the free parts of rows
 * and written into them. Pure, but for the ids that it makes.
 */
@NullMarked
package dev.contexture.engine.memory.row;

import org.jspecify.annotations.NullMarked;

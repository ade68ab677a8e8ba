/** Commands about what agents remember: lists, edits, history, moves. */
@NullMarked
package dev.contexture.cli.memory;

import org.jspecify.annotations.NullMarked;

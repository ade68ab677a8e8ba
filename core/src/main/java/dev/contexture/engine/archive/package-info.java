/**
 * Conversations and memory as a file: JSON lines that another store takes in, or Markdown for
 * people.
 */
@NullMarked
package dev.contexture.engine.archive;

import org.jspecify.annotations.NullMarked;

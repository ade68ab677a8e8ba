/**
 * Answers that last: events of conversations, memory and projects, and sessions of the Model
 * Context Protocol.
 */
@NullMarked
package dev.contexture.server.stream;

import org.jspecify.annotations.NullMarked;

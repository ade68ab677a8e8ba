/**
 * Conversations that were kept elsewhere: the formats of files and messages, and what was read from
 * them. Whoever supplies the providers reads them.
 */
@NullMarked
package dev.contexture.request.history;

import org.jspecify.annotations.NullMarked;

/**
 * The routes of users and conversations: turns, blocks, requests to models, and what became of
 * them.
 */
@NullMarked
package dev.contexture.server.conversation;

import org.jspecify.annotations.NullMarked;

/** The routes of users and conversations: turns, blocks, requests to models, and their outcomes. */
@NullMarked
package dev.contexture.server.conversation;

import org.jspecify.annotations.NullMarked;

/** The routes of agents: memory, tools, search, export and import. */
@NullMarked
package dev.contexture.server.agent;

import org.jspecify.annotations.NullMarked;

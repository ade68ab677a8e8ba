/**
 * The Model Context Protocol over standard input and output. In: a line for each message of a host.
 * Out: a line for each answer and notification, from the server that has the store open; if nobody
 * has, this process opens it and serves it to others, so that hosts share a directory.
 *
 * <pre>{@code
 * new StdioBridge(new McpLink(locator, query), System.in, out).run();
 * }</pre>
 */
@NullMarked
package dev.contexture.cli.mcp;

import org.jspecify.annotations.NullMarked;

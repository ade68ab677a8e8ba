/**
 * The Model Context Protocol over the engine. In: one message of a host. Out: its answer, and
 * notifications of what changed. What carries messages, HTTP or standard input and output, is
 * elsewhere.
 *
 * <pre>{@code
 * McpSession session =
 *     McpSession.open(engine, "1.0", Scope.of("acme", "shop"), McpSettings.of("atlas"));
 * Optional<JsonObject> answer = session.handle(message);
 * }</pre>
 */
@NullMarked
package dev.contexture.mcp;

import org.jspecify.annotations.NullMarked;

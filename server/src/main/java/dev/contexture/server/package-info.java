/**
 * The engine over HTTP.
 *
 * <p>In: requests with JSON bodies, for a tenant and a project. Out: JSON answers, problem objects,
 * event streams. Nothing here decides anything about a context: a route reads what it was sent,
 * calls the engine, and writes what that answered. Javalin is used at the edge only ({@link
 * dev.contexture.server.ContextureServer}); routes see a call and give an answer.
 *
 * <pre>{@code
 * try (ContextureServer server = ContextureServer.start(engine, ServerOptions.local("0.1"))) {
 *   server.address(); // http://127.0.0.1:8321
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.server;

import org.jspecify.annotations.NullMarked;

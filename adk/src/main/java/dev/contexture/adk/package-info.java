/**
 * In: the events that a Runner of Google's Agent Development Kit appends to a session, and the
 * requests that it is about to send. Out: sessions and memory that are durable, and the same
 * requests with the contents that the engine chose.
 *
 * <pre>{@code
 * AdkContext context = AdkContext.builder(cx, "acme").model("gemini-3.7-flash").build();
 * Runner runner =
 *     Runner.builder()
 *         .agent(agent)
 *         .appName("shop")
 *         .sessionService(context.sessions())
 *         .memoryService(context.memory())
 *         .plugins(context.plugin())
 *         .build();
 * }</pre>
 */
@NullMarked
package dev.contexture.adk;

import org.jspecify.annotations.NullMarked;

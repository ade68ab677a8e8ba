/**
 * The tools that an agent has of itself: its memory, its search, and its own conversation.
 *
 * <p>In: the calls of a model. Out: answers that go back to it. {@link
 * dev.contexture.engine.agent.AgentTools} tells a model about the tools and runs them, always as
 * the agent that calls, so that every write passes the permission gate. A tool never throws into
 * the loop: what is refused is an answer that says why and what to do.
 *
 * <pre>{@code
 * AgentTools tools = cx.agentTools(chat, "atlas");
 * ContextRequest request = turn.request(model).agent("atlas").tools(tools.definitions()).build();
 * for (ToolCall call : reply.calls()) {
 *   turn.answer(call, tools.run(call));
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.engine.agent;

import org.jspecify.annotations.NullMarked;

/**
 * What a model is told, put together: an agent's memory, recent activity, tool rules, tools and as
 * much of the conversation as fits (M-87 to M-99).
 *
 * <p>In: a {@link dev.contexture.request.RequestDraft}, a memory and maybe a conversation. Out: the
 * parts of a request and a report of what is in it and why. What changes in memory while a
 * conversation goes on follows at its end, so that everything before stays the same bytes until an
 * epoch ends.
 *
 * <pre>{@code
 * Request request =
 *     ContextBuilder.of(cx.memory(scope), ContextConfig.DEFAULT)
 *         .forAgent("entropy")
 *         .withMessages(browser)
 *         .build();
 * }</pre>
 */
@NullMarked
package dev.contexture.engine.context;

import org.jspecify.annotations.NullMarked;

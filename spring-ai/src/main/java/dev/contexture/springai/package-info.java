/**
 * In: what a ChatClient of Spring AI is asked, and what models and tools answer. Out: the same
 * prompts with the messages that the engine chose.
 *
 * <pre>{@code
 * SpringAiContext context =
 *     SpringAiContext.builder(cx, Scope.of("acme", "shop")).model("claude-opus-5").build();
 * ChatClient client = context.wire(ChatClient.builder(model)).build();
 * client.prompt("Weather in Oslo?")
 *     .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "u42/c1"))
 *     .call()
 *     .content();
 * }</pre>
 */
@NullMarked
package dev.contexture.springai;

import org.jspecify.annotations.NullMarked;

/**
 * In: what LangChain4j's AiServices add to a chat memory, and the requests that they are about to
 * send. Out: the same requests with the messages that the engine chose.
 *
 * <pre>{@code
 * LangChainContext context =
 *     LangChainContext.builder(cx, Scope.of("acme", "shop")).model("claude-opus-5").build();
 * Assistant assistant =
 *     context.wire(AiServices.builder(Assistant.class).chatModel(model)).build();
 * assistant.chat("u42/c1", "Weather in Oslo?");
 * }</pre>
 */
@NullMarked
package dev.contexture.langchain4j;

import org.jspecify.annotations.NullMarked;

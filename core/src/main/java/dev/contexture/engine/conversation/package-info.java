/**
 * Conversations that live in a store: turns are opened, contributed to, rendered and closed.
 *
 * <p>In: prompts, blocks, answers of models, results of tools. Out: durable blocks, rendered
 * contexts and requests. All rules of what a turn may do are here; the store only keeps rows. How a
 * request is made is the list of steps in {@link
 * dev.contexture.engine.conversation.RequestPipeline}.
 *
 * <pre>{@code
 * try (Turn turn = browser.startTurn("Weather in Oslo?")) {
 *   turn.contribute(Block.builder(BlockType.REACT_NOTE).text("looking"));
 *   RenderedContext context = turn.timeline(RenderOptions.defaults());
 *   turn.finish("4 C");
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.engine.conversation;

import org.jspecify.annotations.NullMarked;

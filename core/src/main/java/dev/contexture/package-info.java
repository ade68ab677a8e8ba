/**
 * The library as programs use it: {@link dev.contexture.Contexture} opens an engine, {@link
 * dev.contexture.ContextBrowser} is one conversation, {@link dev.contexture.Turn} one turn, {@link
 * dev.contexture.RequestBuilder} makes a request for a model.
 *
 * <p>In: prompts, blocks, answers of models, results of tools. Out: durable blocks, rendered
 * contexts and requests. Nothing below uses this package; what is given to a turn and comes back
 * from it is in {@code turn}, the work is done in {@code engine}.
 *
 * <pre>{@code
 * try (Contexture cx = Contexture.open(Path.of("data"))) {
 *   ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
 *   try (Turn turn = chat.startTurn("Weather in Oslo?")) {
 *     turn.finish("4 C");
 *   }
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture;

import org.jspecify.annotations.NullMarked;

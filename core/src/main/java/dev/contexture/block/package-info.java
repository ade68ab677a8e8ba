/**
 * The nouns: a block and everything it is made of.
 *
 * <p>In: wire JSON or a builder. Out: immutable {@link dev.contexture.block.Block}s whose fields
 * are valid. Sizes are bounded by {@link dev.contexture.block.Limits}; ids and paths are types of
 * their own and refuse what does not follow their grammar.
 *
 * <pre>{@code
 * TurnId turn = TurnId.of("turn_1");
 * Block prompt =
 *     Block.builder(BlockType.USER_PROMPT)
 *         .author(Author.USER)
 *         .turn(turn)
 *         .path(BlockPath.userPrompt(turn))
 *         .text("Weather in Oslo?")
 *         .build();
 * }</pre>
 */
@NullMarked
package dev.contexture.block;

import org.jspecify.annotations.NullMarked;

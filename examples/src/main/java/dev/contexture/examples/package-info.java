/**
 * Small programs that show how Contexture is used.
 *
 * <p>{@link dev.contexture.examples.AgentLoop} is an agent with tools whose conversations survive
 * everything; {@link dev.contexture.examples.ModelClient} is the HTTP that it needs.
 */
@NullMarked
package dev.contexture.examples;

import org.jspecify.annotations.NullMarked;

/**
 * Anthropic Messages: its writer, parser, readers and import, behind {@link
 * dev.contexture.provider.anthropic.AnthropicFormat}.
 */
@NullMarked
package dev.contexture.provider.anthropic;

import org.jspecify.annotations.NullMarked;

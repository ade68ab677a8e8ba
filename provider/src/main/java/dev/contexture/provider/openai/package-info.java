/**
 * OpenAI's two interfaces, behind {@link dev.contexture.provider.openai.ChatFormat} and {@link
 * dev.contexture.provider.openai.ResponsesFormat}: their writers, parsers, readers and import. They
 * share how caches are asked for and how tokens are counted, not their parts.
 */
@NullMarked
package dev.contexture.provider.openai;

import org.jspecify.annotations.NullMarked;

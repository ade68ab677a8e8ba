/**
 * Tools as a model is told about them, and the rules for calling them.
 *
 * <p>In: {@link dev.contexture.tool.ToolSpec}s and {@link dev.contexture.tool.ToolRule}s. Out: the
 * schemas to send, the text that tells a model the rules, and the decision about each call. Nothing
 * here runs a tool: {@link dev.contexture.tool.RuleEngine} goes from one state of a turn to the
 * next.
 */
@NullMarked
package dev.contexture.tool;

import org.jspecify.annotations.NullMarked;

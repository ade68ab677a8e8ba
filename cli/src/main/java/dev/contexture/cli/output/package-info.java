/**
 * The output of commands: results, failures, colours, progress bars, amounts, and texts of others.
 */
@NullMarked
package dev.contexture.cli.output;

import org.jspecify.annotations.NullMarked;

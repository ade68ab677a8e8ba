/** What commands print: results, failures, colours, bars of progress, amounts, texts of others. */
@NullMarked
package dev.contexture.cli.output;

import org.jspecify.annotations.NullMarked;

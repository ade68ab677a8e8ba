/**
 * Code that commands share: options, the way to a server or a store, files, colours and progress.
 */
@NullMarked
package dev.contexture.cli.support;

import org.jspecify.annotations.NullMarked;

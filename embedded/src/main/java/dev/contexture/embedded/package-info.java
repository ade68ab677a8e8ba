/**
 * The engine on a directory, with everything built in. In: a directory. Out: a {@link
 * dev.contexture.Contexture}.
 */
@NullMarked
package dev.contexture.embedded;

import org.jspecify.annotations.NullMarked;

/** The pages that a browser shows of a server. */
@NullMarked
package dev.contexture.server.inspector;

import org.jspecify.annotations.NullMarked;

/** Operation of a server: health, log, audit, retention, and failures as problems. */
@NullMarked
package dev.contexture.server.operation;

import org.jspecify.annotations.NullMarked;

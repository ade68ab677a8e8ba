/**
 * What those who run a server see of it: health, log, audit, retention, and failures as problems.
 */
@NullMarked
package dev.contexture.server.operation;

import org.jspecify.annotations.NullMarked;

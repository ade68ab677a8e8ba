/**
 * The audit log: who did what to a server that others share.
 *
 * <p>In: entries of administrative and erasing calls, of keys that changed, of what retention
 * erased. Out: the same, newest first. The file is only appended to; one that is large enough gets
 * a number and a new one begins. No entry holds what users said, a key, or another secret.
 */
@NullMarked
package dev.contexture.server.audit;

import org.jspecify.annotations.NullMarked;

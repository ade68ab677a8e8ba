/**
 * Refusals: one unchecked root with a stable code.
 *
 * <p>It stands above all other packages, because JSON that cannot be read is refused in the same
 * form as a block that breaks a limit.
 *
 * <pre>{@code
 * throw ContextureException.invalid(ErrorCode.INVALID_PATH, "path", text, "ar:<turn>.<name>, ...");
 * }</pre>
 */
@NullMarked
package dev.contexture.error;

import org.jspecify.annotations.NullMarked;

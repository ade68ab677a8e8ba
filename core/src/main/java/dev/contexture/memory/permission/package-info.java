/**
 * Permissions on memory blocks: who may do what, and who has to be asked.
 *
 * <p>In: an actor, the level of a block and an operation. Out: a {@link
 * dev.contexture.memory.permission.Decision} of the one {@link
 * dev.contexture.memory.permission.PermissionGate}, or the consent that it needs.
 */
@NullMarked
package dev.contexture.memory.permission;

import org.jspecify.annotations.NullMarked;

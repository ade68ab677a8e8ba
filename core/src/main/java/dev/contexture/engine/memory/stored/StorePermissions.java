package dev.contexture.engine.memory.stored;

import dev.contexture.memory.MemoryOperation;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.memory.permission.Decision;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.permission.PermissionGate;
import dev.contexture.memory.schema.DocumentSettings;
import org.jspecify.annotations.Nullable;

/** Checks permissions for operations of a store other than edits of documents. Pure. */
final class StorePermissions {
  private StorePermissions() {}

  /**
   * Refuses what the gate denies, before it is known whether there is anything to do; whether
   * somebody must be asked is decided with the step.
   */
  static void require(BlockAccess target, MemoryOperation operation, DocumentSettings settings) {
    Decision decision =
        PermissionGate.decide(
            target.actor(), operation.operationClass(), target.level(), settings.partnerId());
    if (decision instanceof Decision.Denied denied) {
      throw target.denied(operation.operationName(), denied.needed());
    }
  }

  /** The consent that an operation needs which has nothing to do; null: none. */
  static @Nullable ConsentRequest consent(
      BlockAccess target, MemoryOperation operation, DocumentSettings settings) {
    Decision decision =
        PermissionGate.decide(
            target.actor(), operation.operationClass(), target.level(), settings.partnerId());
    return decision instanceof Decision.Ask ask
        ? new ConsentRequest(
            target.actor(),
            ask.kind(),
            new ConsentRequest.Subject(
                target.row().owner(),
                target.row().label(),
                operation.operationName(),
                operation.operationClass(),
                "",
                0,
                target.row().seq()))
        : null;
  }

  /** What an owner may change at any level, and whoever may change everything. */
  static void requireOwner(BlockAccess target, String operation) {
    boolean owner = target.owned() && target.actor() instanceof Actor.Agent;
    if (!owner) {
      requireAdmin(target, operation);
    }
  }

  /** What needs the level Admin, a human or the system. */
  static void requireAdmin(BlockAccess target, String operation) {
    boolean allowed =
        !(target.actor() instanceof Actor.Agent) || target.level() == MemoryPermission.ADMIN;
    if (!allowed) {
      throw target.denied(operation, MemoryPermission.ADMIN);
    }
  }

  /** Calls that are kept for people and the system. */
  static void requireHost(Actor actor, String call) {
    if (actor instanceof Actor.Agent) {
      throw MemoryRefusals.notFor(actor, call, "the system and people");
    }
  }
}

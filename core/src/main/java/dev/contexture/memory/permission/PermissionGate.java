package dev.contexture.memory.permission;

import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The one function that decides who may do what with a block. Pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PermissionGate {
  private PermissionGate() {}

  /**
   * @param level the permission that is in force for the actor
   * @param partner the id of the human that owns the store, if one is configured
   */
  public static Decision decide(
      Actor actor, OperationClass operation, MemoryPermission level, @Nullable String partner) {
    if (operation == OperationClass.READ) {
      return Decision.Allowed.INSTANCE;
    }
    return switch (actor) {
      case Actor.System _unused -> Decision.Allowed.INSTANCE;
      case Actor.Agent _unused -> forAgent(operation, level);
      case Actor.Human human -> forHuman(human, operation, level, partner);
    };
  }

  private static Decision forAgent(OperationClass operation, MemoryPermission level) {
    if (operation == OperationClass.DELETE) {
      return level == MemoryPermission.ADMIN ? Decision.Allowed.INSTANCE : denied(operation, level);
    }
    return switch (level) {
      case READ_ONLY -> denied(operation, level);
      case PARTNER -> new Decision.Ask(ConsentKind.PARTNER);
      case HUMAN -> new Decision.Ask(ConsentKind.HUMAN);
      case APPEND ->
          operation == OperationClass.APPEND ? Decision.Allowed.INSTANCE : denied(operation, level);
      case READ_WRITE, ADMIN -> Decision.Allowed.INSTANCE;
    };
  }

  private static Decision forHuman(
      Actor.Human human,
      OperationClass operation,
      MemoryPermission level,
      @Nullable String partner) {
    return switch (level) {
      case READ_ONLY -> denied(operation, level);
      case PARTNER -> {
        if (Objects.equals(human.id(), partner)) {
          yield Decision.Allowed.INSTANCE;
        }
        yield operation == OperationClass.DELETE
            ? denied(operation, level)
            : new Decision.Ask(ConsentKind.PARTNER);
      }
      case HUMAN, APPEND, READ_WRITE, ADMIN -> Decision.Allowed.INSTANCE;
    };
  }

  private static Decision denied(OperationClass operation, MemoryPermission level) {
    return new Decision.Denied(operation, operation.sufficientLevel(), level);
  }
}

package dev.contexture.memory.permission;

import org.apiguardian.api.API;

/** The decision of the gate about one operation. Closed. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Decision {
  /** The operation may go on. */
  record Allowed() implements Decision {
    static final Allowed INSTANCE = new Allowed();
  }

  /** The operation may go on once this approval is granted. */
  record Ask(ConsentKind kind) implements Decision {}

  /** The operation is refused; {@code needed} would be the sufficient level. */
  record Denied(OperationClass operation, MemoryPermission needed, MemoryPermission actual)
      implements Decision {}
}

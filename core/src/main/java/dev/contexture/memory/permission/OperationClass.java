package dev.contexture.memory.permission;

import java.util.Locale;
import org.apiguardian.api.API;

/** The class of an operation, by which the gate decides. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum OperationClass {
  READ(MemoryPermission.READ_ONLY, "read"),
  APPEND(MemoryPermission.APPEND, "append to"),
  OVERWRITE(MemoryPermission.READ_WRITE, "overwrite"),
  DELETE(MemoryPermission.ADMIN, "delete");

  private final MemoryPermission sufficient;
  private final String verb;

  OperationClass(MemoryPermission sufficient, String verb) {
    this.sufficient = sufficient;
    this.verb = verb;
  }

  /** The lowest level that lets an agent do this without asking anyone. */
  public MemoryPermission sufficientLevel() {
    return sufficient;
  }

  /** As in {@code cannot append to block "notes"}. */
  public String verb() {
    return verb;
  }

  /** The class as details and JSON have it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

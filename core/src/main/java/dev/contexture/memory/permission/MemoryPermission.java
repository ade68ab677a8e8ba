package dev.contexture.memory.permission;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import org.apiguardian.api.API;

/** A level of permission for agents on a block, in the order in which levels may be passed on. */
@API(status = API.Status.STABLE, since = "0.1")
public enum MemoryPermission {
  READ_ONLY("ReadOnly"),
  /** Writes need the approval of the store's partner. */
  PARTNER("Partner"),
  /** Writes need the approval of a human. */
  HUMAN("Human"),
  APPEND("Append"),
  READ_WRITE("ReadWrite"),
  ADMIN("Admin");

  private final String identifier;

  MemoryPermission(String identifier) {
    this.identifier = identifier;
  }

  /** The level as prompts and messages show it, for example {@code ReadWrite}. */
  public String identifier() {
    return identifier;
  }

  /** The level as JSON has it, for example {@code read_write}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The level of this wire name or identifier.
   *
   * @throws ContextureException {@code invalid_argument} if there is none
   */
  public static MemoryPermission named(String name) {
    return Arrays.stream(values())
        .filter(level -> level.wireName().equals(name) || level.identifier.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT, "permission", name, Choices.inWords(values())));
  }
}

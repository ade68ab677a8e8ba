package dev.contexture.memory.schema;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import org.apiguardian.api.API;

/** The type of a memory block, which decides when it is part of the prompt. */
@API(status = API.Status.STABLE, since = "0.1")
public enum MemoryBlockType {
  /** Always in the prompt. */
  CORE("Core"),
  /** In the prompt if pinned or referenced by the turn. */
  WORKING("Working"),
  /** Long-term, searched; in the prompt only if referenced by the turn. */
  ARCHIVAL("Archival"),
  /** Append-only; needs a {@link LogSchema}; in the prompt only if referenced by the turn. */
  LOG("Log");

  private final String identifier;

  MemoryBlockType(String identifier) {
    this.identifier = identifier;
  }

  /** The type as messages show it, for example {@code Core}. */
  public String identifier() {
    return identifier;
  }

  /** The type as JSON has it, for example {@code core}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Checks that a block of this type may have the schema.
   *
   * @throws ContextureException {@code schema_invalid} if it may not
   */
  public void check(BlockSchema schema) {
    if (this == LOG && !(schema instanceof LogSchema)) {
      throw ContextureException.invalid(
          ErrorCode.SCHEMA_INVALID, "schema.kind", schema.kind(), "log, for a block of type Log");
    }
  }

  /**
   * The type of this wire name or identifier.
   *
   * @throws ContextureException {@code invalid_argument} if there is none
   */
  public static MemoryBlockType named(String name) {
    return Arrays.stream(values())
        .filter(type -> type.wireName().equals(name) || type.identifier.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT, "block_type", name, Choices.inWords(values())));
  }
}

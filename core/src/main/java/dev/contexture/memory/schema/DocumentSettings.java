package dev.contexture.memory.schema;

import dev.contexture.memory.permission.MemoryPermission;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a document that hold at the moment: read by every operation, so that a host can
 * let changes take effect at once. Immutable.
 *
 * @param owner the agent that owns the block; empty for a detached document
 * @param label the label of the block; empty for a detached document
 * @param charLimit most code points of rendered content
 * @param permission the level in force for whoever holds the handle
 * @param partnerId the human that owns the store
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DocumentSettings(
    String owner,
    String label,
    BlockSchema schema,
    int charLimit,
    MemoryPermission permission,
    @Nullable String partnerId,
    MemoryLimits limits) {
  public DocumentSettings {
    limits.check(schema);
  }

  /** A detached document: ReadWrite, default limits. */
  public static DocumentSettings detached(BlockSchema schema) {
    MemoryLimits limits = MemoryLimits.DEFAULT;
    return new DocumentSettings(
        "", "", schema, limits.charLimit(), MemoryPermission.READ_WRITE, null, limits);
  }

  public DocumentSettings withCharLimit(int limit) {
    return new DocumentSettings(owner, label, schema, limit, permission, partnerId, limits);
  }

  public DocumentSettings withPermission(MemoryPermission level) {
    return new DocumentSettings(owner, label, schema, charLimit, level, partnerId, limits);
  }

  public DocumentSettings withSchema(BlockSchema other) {
    return new DocumentSettings(owner, label, other, charLimit, permission, partnerId, limits);
  }

  public Optional<String> partner() {
    return Optional.ofNullable(partnerId);
  }

  /** As messages name it: {@code block "notes" of agent "entropy"}. */
  String shown() {
    return label.isEmpty() ? "the document" : "block \"" + label + "\" of agent \"" + owner + "\"";
  }
}

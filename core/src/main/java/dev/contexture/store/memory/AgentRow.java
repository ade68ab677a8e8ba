package dev.contexture.store.memory;

import dev.contexture.json.JsonObject;
import dev.contexture.json.SendableText;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a project.
 *
 * @param agent its id
 * @param name what people call it; empty: it has none
 * @param description what it does; may be empty
 * @param createdAt when it was first used
 * @param partner who approves writes that need it, for example {@code human:pat}; null: nobody
 * @param template the block that each of its users gets, in the caller's words; null: none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AgentRow(
    String agent,
    String name,
    String description,
    Instant createdAt,
    @Nullable String partner,
    @Nullable JsonObject template) {
  public AgentRow {
    name = SendableText.of(name);
    description = SendableText.of(description);
  }

  /** An agent without partner and template. */
  public AgentRow(String agent, String name, String description, Instant createdAt) {
    this(agent, name, description, createdAt, null, null);
  }
}

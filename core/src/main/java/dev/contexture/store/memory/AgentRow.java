package dev.contexture.store.memory;

import dev.contexture.json.SendableText;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * An agent of a project.
 *
 * @param agent its id
 * @param name what people call it; empty: it has none
 * @param description what it does; may be empty
 * @param createdAt when it was first used
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AgentRow(String agent, String name, String description, Instant createdAt) {
  public AgentRow {
    name = SendableText.of(name);
    description = SendableText.of(description);
  }
}

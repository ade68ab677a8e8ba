package dev.contexture.engine.archive;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Limits on whose data an archive may hold.
 *
 * @param user the only user whose conversations and memory may be in it; null: all
 * @param agent the only agent whose memory may be in it; null: all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record ArchiveBounds(@Nullable String user, @Nullable String agent) {
  void check(long number, String type, JsonObject line) {
    switch (type) {
      case ArchiveLine.CONVERSATION -> {
        same(number, "user", user, line.string("user").orElse(null));
        if (agent != null) {
          throw beyond(number, "agent", "a conversation");
        }
      }
      case ArchiveLine.MEMORY -> {
        same(number, "user", user, line.string("user").orElse(null));
        same(number, "agent", agent, line.string("owner").orElse(null));
      }
      case ArchiveLine.ENTRY -> {
        same(number, "user", user, line.string("user").orElse(null));
        same(number, "agent", agent, agentOf(line));
      }
      case ArchiveLine.AGENT -> same(number, "agent", agent, line.string("agent").orElse(null));
      default -> {} // a part of one of these
    }
  }

  private static @Nullable String agentOf(JsonObject line) {
    return line.string("agent")
        .or(() -> line.object("agent").flatMap(owner -> owner.string("agent")))
        .orElse(null);
  }

  private static void same(
      long number, String field, @Nullable String only, @Nullable String given) {
    if (only != null && !only.equals(given)) {
      throw beyond(number, field, given == null ? "nobody in particular" : given);
    }
  }

  private static ContextureException beyond(long number, String field, String given) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("field", field);
    facts.put("line", number);
    return new ContextureException(
        ErrorCode.FORBIDDEN,
        "line "
            + number
            + " of the archive is of another "
            + field
            + " than this route imports: "
            + given
            + "; nothing was imported",
        facts,
        null);
  }
}

package dev.contexture.engine.conversation;

import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a turn is finished with (T-89).
 *
 * @param answer the completion; null: the answer that was recorded last
 * @param sourcesUsed the sources that it rests on
 * @param followups what the user might ask next
 * @param state what the agent wants to find again
 * @param exitReason why it ended
 * @param ts when it ended; null: now
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Finish(
    @Nullable String answer,
    List<Long> sourcesUsed,
    List<String> followups,
    @Nullable JsonValue state,
    @Nullable String exitReason,
    @Nullable Instant ts) {
  public Finish {
    sourcesUsed = List.copyOf(sourcesUsed);
    followups = List.copyOf(followups);
  }

  /** With the answer that was recorded last, if there is one. */
  public static Finish recorded() {
    return new Finish(null, List.of(), List.of(), null, null, null);
  }

  public static Finish with(String answer) {
    return new Finish(answer, List.of(), List.of(), null, null, null);
  }
}

package dev.contexture.turn;

import dev.contexture.block.Binary;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The values that close a turn.
 *
 * @param answer the completion; null: the answer that was recorded last
 * @param sourcesUsed the sources that it rests on
 * @param followups what the user might ask next
 * @param state what the agent wants to find again
 * @param exitReason why it ended
 * @param ts when it ended; null: now
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Finish(
    @Nullable String answer,
    List<Long> sourcesUsed,
    List<String> followups,
    @Nullable JsonValue state,
    @Nullable String exitReason,
    @Nullable Instant ts) {
  public static final String COMPLETION = "completion";

  public Finish {
    answer = answer == null ? null : SendableText.of(answer);
    sourcesUsed = List.copyOf(sourcesUsed);
    followups = followups.stream().map(SendableText::of).toList();
    state = state == null ? null : SendableText.of(state);
    exitReason = exitReason == null ? null : SendableText.of(exitReason);
  }

  /** What makes two of them the same; no text of blocks, only digests. */
  public JsonObject content() {
    JsonObject.Builder content = JsonObject.builder();
    if (answer != null) {
      content.put(COMPLETION, sha256(answer));
    }
    JsonArray rest =
        JsonArray.of(
            JsonValue.of(sourcesUsed.toString()),
            JsonArray.ofStrings(followups),
            state == null ? JsonNull.NULL : state,
            JsonValue.of(exitReason + "|" + ts));
    return content.put("rest", sha256(rest.toJson())).build();
  }

  private static String sha256(String text) {
    return Binary.of(text.getBytes(StandardCharsets.UTF_8)).sha256();
  }

  /** With the answer that was recorded last, if there is one. */
  public static Finish recorded() {
    return new Finish(null, List.of(), List.of(), null, null, null);
  }

  public static Finish with(String answer) {
    return new Finish(answer, List.of(), List.of(), null, null, null);
  }
}

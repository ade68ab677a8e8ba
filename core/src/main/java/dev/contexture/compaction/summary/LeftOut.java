package dev.contexture.compaction.summary;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Something that a summary has no room for.
 *
 * @param path where it can be read; empty: nowhere by itself
 * @param kind what it is
 * @param tokens how much of it is left out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record LeftOut(String path, SummaryEntry.Kind kind, long tokens) {
  JsonObject toJson() {
    return JsonObject.builder()
        .put("path", path)
        .put("kind", kind.wireName())
        .put("tokens", tokens)
        .build();
  }

  static Optional<LeftOut> of(JsonValue value) {
    return value instanceof JsonObject json
        ? json.string("kind")
            .flatMap(SummaryEntry.Kind::named)
            .map(
                kind ->
                    new LeftOut(
                        json.string("path").orElse(""), kind, SummaryEntry.number(json, "tokens")))
        : Optional.empty();
  }
}

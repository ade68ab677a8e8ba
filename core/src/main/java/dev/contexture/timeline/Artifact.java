package dev.contexture.timeline;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The content that a path resolves to: the newest of everything that was stored under it.
 * Immutable.
 *
 * @param path what was asked for
 * @param mime the type of the newest version
 * @param newestText the newest text
 * @param newestData the newest binary
 * @param newestTs the newest time
 * @param meta the metadata of all versions, the newest first; the first writer of a key wins
 * @param versions how many blocks have the path
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Artifact(
    BlockPath path,
    String mime,
    @Nullable String newestText,
    @Nullable Binary newestData,
    @Nullable Instant newestTs,
    JsonObject meta,
    int versions) {

  /** The metadata of a block that only repeats, maybe in part, what its path holds. */
  public static final String COPY = "read_copy";

  /**
   * Whether a block shows again what its path holds. Such a block is no version of its own, since
   * it may show a part only.
   */
  public static boolean isCopy(Block block) {
    return block.type().isResult() && block.meta().has(COPY);
  }

  /**
   * Looks a path up in a whole timeline: also before the newest summary, in archived ranges and in
   * hidden blocks, whose original content it gives.
   *
   * @param includeExcluded whether turns that are neither kept nor active are searched too
   */
  public static Optional<Artifact> resolve(
      Timeline timeline, BlockPath path, boolean includeExcluded) {
    if (path.kind() == BlockPath.Kind.SOURCES) {
      return ofSources(timeline.sources(), path);
    }
    if (path.kind() == BlockPath.Kind.SUMMARY) {
      return ofSummaries(timeline, path);
    }
    List<TimelineEntry> versions = new ArrayList<>();
    List<JsonObject> statuses = new ArrayList<>();
    for (TimelineEntry entry : timeline.entries().reversed()) {
      if (!includeExcluded && timeline.isExcluded(entry.turn())) {
        continue;
      }
      if (entry.block().path().filter(path::equals).isPresent() && !isCopy(entry.block())) {
        versions.add(entry);
      }
      if (statuses.isEmpty() && mayBeStatus(entry.block())) {
        entry.jsonObject().filter(json -> isAbout(json, path)).ifPresent(statuses::add);
      }
    }
    return of(path, versions, statuses);
  }

  /** Spares parsing most results. */
  private static boolean mayBeStatus(Block block) {
    return block.type().isResult() && block.text().orElse("").contains("artifact_path");
  }

  /**
   * Merges the versions of a path.
   *
   * @param versions blocks with the path, newest first
   * @param statuses results whose {@code artifact_path} is the path, newest first
   */
  public static Optional<Artifact> of(
      BlockPath path, List<TimelineEntry> versions, List<JsonObject> statuses) {
    if (versions.isEmpty()) {
      return Optional.empty();
    }
    JsonObject.Builder meta = JsonObject.builder();
    statuses.stream().limit(1).forEach(status -> fill(meta, status));
    versions.forEach(entry -> fill(meta, entry.block().meta()));
    return Optional.of(
        new Artifact(
            path,
            versions.getFirst().block().mime(),
            versions.stream().flatMap(e -> e.block().text().stream()).findFirst().orElse(null),
            versions.stream().flatMap(e -> e.block().data().stream()).findFirst().orElse(null),
            newestTs(versions),
            meta.build(),
            versions.size()));
  }

  private static @Nullable Instant newestTs(List<TimelineEntry> versions) {
    return versions.stream()
        .map(TimelineEntry::block)
        .flatMap(block -> block.ts().stream())
        .max(Instant::compareTo)
        .orElse(null);
  }

  /** Whether a result's status describes the artifact at the path. */
  public static boolean isAbout(JsonObject status, BlockPath path) {
    return status.find("artifact_path").orElse(null) instanceof JsonString text
        && BlockPath.isValid(text.value())
        && BlockPath.parse(text.value()).equals(path);
  }

  private static void fill(JsonObject.Builder meta, JsonObject more) {
    JsonObject known = meta.build();
    for (Map.Entry<String, JsonValue> member : more.members().entrySet()) {
      if (!known.has(member.getKey())) {
        meta.put(member.getKey(), member.getValue());
      }
    }
  }

  private static Optional<Artifact> ofSummaries(Timeline timeline, BlockPath path) {
    List<Summary> versions =
        timeline.summaries().stream()
            .filter(summary -> summary.path().equals(path) && !summary.withdrawn())
            .sorted(Summary.OLDEST_FIRST.reversed())
            .toList();
    return versions.stream()
        .findFirst()
        .map(
            newest ->
                new Artifact(
                    path,
                    Block.DEFAULT_MIME,
                    newest.text(),
                    null,
                    null,
                    newest.meta(),
                    versions.size()));
  }

  private static Optional<Artifact> ofSources(SourcesPool pool, BlockPath path) {
    List<PoolSource> rows = pool.select(path);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    JsonArray json = new JsonArray(rows.stream().<JsonValue>map(PoolSource::write).toList());
    return Optional.of(
        new Artifact(
            path, "application/json", json.toJson(), null, null, JsonObject.EMPTY, rows.size()));
  }

  public Optional<String> text() {
    return Optional.ofNullable(newestText);
  }

  public Optional<Binary> data() {
    return Optional.ofNullable(newestData);
  }

  public Optional<Instant> ts() {
    return Optional.ofNullable(newestTs);
  }

  /** What it is, for people and for {@code kind} on the wire: text, image, document or binary. */
  public String kind() {
    if (newestData == null) {
      return "text";
    }
    return mime.startsWith("image/")
        ? "image"
        : mime.equals("application/pdf") ? "document" : "binary";
  }

  /** The block that a fresh copy of this artifact would be, without its place. */
  public Block.Builder copyInto(Block.Builder block) {
    block.path(path).mime(mime);
    text().ifPresent(block::text);
    data().ifPresent(block::data);
    return block;
  }
}

package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.MemorySearchDefaults;
import dev.contexture.compaction.summary.TextCutter;
import dev.contexture.compaction.summary.ToolKind;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A machine-readable list of what the newly compacted blocks held: artifacts, files, outputs,
 * searches and hidden blocks. Each list holds at most 200, the newest.
 */
final class Digest {
  private static final int MAX_ITEMS = 200;
  private static final int MAX_NAMES = 20;
  private static final int REPLACEMENT_CHARS = 400;

  private final Timeline timeline;
  private final Map<String, TimelineEntry> calls = new HashMap<>();
  private final Map<String, JsonObject> artifacts = new LinkedHashMap<>();
  private final Map<String, JsonObject> streamed = new LinkedHashMap<>();
  private final Map<String, JsonObject> written = new LinkedHashMap<>();
  private final Map<String, JsonObject> patched = new LinkedHashMap<>();
  private final Map<String, JsonObject> outputs = new LinkedHashMap<>();
  private final Map<String, JsonObject> searches = new LinkedHashMap<>();
  private final List<JsonObject> hidden = new ArrayList<>();

  private Digest(Timeline timeline) {
    this.timeline = timeline;
  }

  static JsonObject of(CompactionPlan.Cut plan) {
    Digest digest = new Digest(plan.timeline());
    SummaryRow.compacted(plan).forEach(digest::add);
    return digest.toJson();
  }

  private void add(TimelineEntry entry) {
    Block block = entry.block();
    if (block.type().isCall()) {
      entry.callId().ifPresent(id -> calls.put(key(entry.turn(), id), entry));
      if (toolKind(entry) == ToolKind.SEARCH_MEMORY) {
        addSearch(entry);
      }
    } else if (block.type().isResult()) {
      addResult(entry);
    }
    timeline.visibility(entry).ifPresent(record -> addHidden(entry, record));
  }

  private static String key(TurnId turn, CallId call) {
    return turn + " " + call;
  }

  private Optional<TimelineEntry> call(TimelineEntry entry) {
    return entry.callId().map(id -> calls.get(key(entry.turn(), id)));
  }

  private Optional<String> tool(TimelineEntry entry) {
    return entry.ownToolId().or(() -> call(entry).flatMap(TimelineEntry::ownToolId));
  }

  private ToolKind toolKind(TimelineEntry entry) {
    return ToolKind.of(entry, call(entry).orElse(entry));
  }

  private void addResult(TimelineEntry entry) {
    ToolKind kind = toolKind(entry);
    JsonObject status = entry.jsonObject().orElse(JsonObject.EMPTY);
    String artifact = artifactPath(entry, status);
    if (artifact != null) {
      JsonObject described = describe(entry, status, artifact);
      JsonObject known = artifacts.remove(artifact);
      JsonObject merged = known == null ? described : merge(described, known);
      artifacts.put(artifact, merged);
      if (isStreamed(merged)) {
        streamed.put(artifact, merged);
      }
    }
    if (kind.writes()) {
      List<String> files = artifact != null ? List.of(artifact) : calledFiles(entry);
      Map<String, JsonObject> changed = kind == ToolKind.PATCH ? patched : written;
      files.forEach(file -> changed.put(file, used(entry, file)));
    }
    if (kind == ToolKind.EXECUTE) {
      String path =
          artifact != null ? artifact : entry.block().path().map(BlockPath::text).orElse("");
      outputs.put(path, used(entry, path));
    }
    if (kind == ToolKind.SEARCH_MEMORY) {
      addHits(entry, status);
    }
  }

  /**
   * The path of what a result made or shows: named by its status, or its own if it is no status.
   */
  private static @Nullable String artifactPath(TimelineEntry entry, JsonObject status) {
    return status
        .string("artifact_path")
        .or(
            () ->
                entry
                    .block()
                    .path()
                    .filter(path -> path.kind() != BlockPath.Kind.RESULT)
                    .map(BlockPath::text))
        .orElse(null);
  }

  private List<String> calledFiles(TimelineEntry entry) {
    return call(entry).map(call -> CalledFiles.of(call.callParams())).orElse(List.of());
  }

  private JsonObject describe(TimelineEntry entry, JsonObject status, String path) {
    Block block = entry.block();
    JsonObject meta = block.meta();
    JsonObject.Builder json = JsonObject.builder().put("turn_id", entry.turn().value());
    block.ts().map(Instant::toString).ifPresent(ts -> json.put("ts", ts));
    json.put("artifact_path", path);
    Optional<String> physical =
        BlockPath.isValid(path) ? BlockPath.parse(path).physical() : Optional.empty();
    physical.ifPresent(found -> json.put("physical_path", found));
    boolean own = block.path().map(BlockPath::text).filter(path::equals).isPresent();
    text(status, meta, "mime")
        .or(() -> own ? Optional.of(block.mime()) : Optional.empty())
        .ifPresent(mime -> json.put("mime", mime));
    text(status, meta, "kind").ifPresent(kind -> json.put("kind", kind));
    text(status, meta, "visibility").ifPresent(value -> json.put("visibility", value));
    tool(entry).ifPresent(tool -> json.put("tool_id", tool));
    entry.callId().ifPresent(id -> json.put("tool_call_id", id.value()));
    status
        .array("sources_used")
        .or(() -> meta.array("sources_used"))
        .ifPresent(sources -> json.put("sources_used", sources));
    return json.build();
  }

  private static Optional<String> text(JsonObject status, JsonObject meta, String key) {
    return status.string(key).or(() -> meta.string(key));
  }

  private static JsonObject merge(JsonObject newer, JsonObject older) {
    return older.toBuilder().putAll(newer).build();
  }

  /** Whether a person saw it: shown outside of the conversation, as a display or a file. */
  private static boolean isStreamed(JsonObject artifact) {
    boolean external = artifact.string("visibility").orElse("").equals("external");
    String kind = artifact.string("kind").orElse("file");
    return external && (kind.equals("display") || kind.equals("file"));
  }

  private JsonObject used(TimelineEntry entry, String path) {
    JsonObject.Builder json = JsonObject.builder().put("path", path);
    json.put("turn_id", entry.turn().value());
    tool(entry).ifPresent(tool -> json.put("tool_id", tool));
    entry.callId().ifPresent(id -> json.put("tool_call_id", id.value()));
    return json.build();
  }

  private void addSearch(TimelineEntry call) {
    JsonObject params = call.callParams();
    JsonObject.Builder json = JsonObject.builder();
    call.callId().ifPresent(id -> json.put("tool_call_id", id.value()));
    params.find("query").ifPresent(query -> json.put("query", query));
    for (String key : MemorySearchDefaults.PARAMS.keys()) {
      params
          .find(key)
          .or(() -> MemorySearchDefaults.PARAMS.find(key))
          .ifPresent(value -> json.put(key, value));
    }
    call.callId().ifPresent(id -> searches.put(key(call.turn(), id), json.build()));
  }

  private void addHits(TimelineEntry result, JsonObject status) {
    CallId id = result.callId().orElse(null);
    JsonObject search = id == null ? null : searches.get(key(result.turn(), id));
    JsonArray hits = status.array("hits").orElse(null);
    if (id == null || search == null || hits == null) {
      return;
    }
    Set<String> turns = new LinkedHashSet<>();
    Set<String> paths = new LinkedHashSet<>();
    for (JsonValue hit : hits.items()) {
      if (hit instanceof JsonObject found) {
        found.string("turn_id").ifPresent(turns::add);
        snippets(found).forEach(snippet -> snippet.string("path").ifPresent(paths::add));
      }
    }
    JsonObject.Builder done = search.toBuilder();
    MemorySearchDefaults.PARAMS
        .keys()
        .forEach(key -> status.find(key).ifPresent(value -> done.put(key, value)));
    searches.put(
        key(result.turn(), id),
        done.put("hits_count", hits.size())
            .put("turn_ids", JsonArray.ofStrings(turns.stream().limit(MAX_NAMES).toList()))
            .put("paths", JsonArray.ofStrings(paths.stream().limit(MAX_NAMES).toList()))
            .build());
  }

  private static List<JsonObject> snippets(JsonObject hit) {
    return hit.array("snippets").stream()
        .flatMap(snippets -> snippets.items().stream())
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast)
        .toList();
  }

  private void addHidden(TimelineEntry entry, Visibility record) {
    Block block = entry.block();
    JsonObject.Builder json = JsonObject.builder();
    block.path().ifPresent(path -> json.put("path", path.text()));
    json.put("type", block.type().name()).put("turn_id", entry.turn().value());
    block.ts().ifPresent(ts -> json.put("ts", ts.toString()));
    json.put("mime", block.mime());
    boolean automatic =
        switch (record.reason()) {
          case TTL, OVERSIZE, ARGUMENTS -> true;
          case API, AGENT, REPLACED -> false;
        };
    String text = record.replacement();
    json.put(
        "replacement_text",
        new JsonString(automatic ? TextCutter.first(text, REPLACEMENT_CHARS) : text));
    hidden.add(json.build());
  }

  private JsonObject toJson() {
    JsonObject.Builder json = JsonObject.builder();
    json.put("artifacts", newest(artifacts.values()));
    json.put("streamed_artifacts", newest(streamed.values()));
    Map<String, JsonObject> allWritten = new LinkedHashMap<>(written);
    allWritten.putAll(patched);
    json.put("written_files", newest(allWritten.values()));
    json.put("patched_files", newest(patched.values()));
    json.put("exec_outputs", newest(outputs.values()));
    json.put("memsearches", newest(searches.values()));
    json.put("hidden_blocks", newest(hidden));
    return json.build();
  }

  private static JsonArray newest(Collection<JsonObject> items) {
    return new JsonArray(
        items.stream().skip(Math.max(0, items.size() - MAX_ITEMS)).<JsonValue>map(i -> i).toList());
  }
}

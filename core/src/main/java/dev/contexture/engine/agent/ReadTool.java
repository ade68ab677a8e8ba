package dev.contexture.engine.agent;

import dev.contexture.block.BlockPath;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.PathReader;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.turn.PathRead;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tool {@code react.read}: shows again what a path holds. */
final class ReadTool {
  private static final int MAX_PATHS = 20;

  private final Session chat;
  private final long maxTokens;

  ReadTool(Session chat, long maxTokens) {
    this.chat = chat;
    this.maxTokens = maxTokens;
  }

  ToolAnswer run(ToolParams params, JsonObject.Builder status) {
    chat.openTurn(); // an agent reads in its turn only
    List<JsonValue> items = params.requiredItems("paths");
    if (items.isEmpty() || items.size() > MAX_PATHS) {
      throw ReactTools.invalid("paths", items.size() + " paths", "1 to " + MAX_PATHS);
    }
    List<String> unreadable = new ArrayList<>();
    List<PathRead.Wish> wishes = new ArrayList<>();
    for (JsonValue item : items) {
      PathRead.Wish wish = wish(item, unreadable);
      if (wish != null) {
        wishes.add(wish);
      }
    }
    return answer(new PathReader(chat, maxTokens).read(wishes), unreadable, status);
  }

  /** Null: the path has no form that anything could be stored under. */
  private static PathRead.@Nullable Wish wish(JsonValue item, List<String> unreadable) {
    JsonObject object =
        item instanceof JsonString text ? JsonObject.of("path", text) : object(item);
    JsonFields fields = JsonFields.of(object, Set.of("path", "offset", "limit"));
    String path = fields.requiredString("path");
    if (!BlockPath.isValid(path)) {
      unreadable.add(path);
      return null;
    }
    return new PathRead.Wish(
        BlockPath.parse(path), boxed(fields.number("offset")), boxed(fields.number("limit")));
  }

  private static JsonObject object(JsonValue item) {
    if (item instanceof JsonObject object) {
      return object;
    }
    throw ReactTools.invalid("paths", item.toJson(), "paths, or objects with path");
  }

  private static @Nullable Long boxed(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  private static ToolAnswer answer(
      List<PathRead> reads, List<String> unreadable, JsonObject.Builder status) {
    List<JsonValue> rows = new ArrayList<>();
    List<String> missing = new ArrayList<>(unreadable);
    List<String> visible = new ArrayList<>();
    List<ResultPart> shown = new ArrayList<>();
    long tokens = 0;
    for (PathRead read : reads) {
      rows.add(row(read));
      tokens += read.tokens();
      read.content().ifPresent(shown::add);
      switch (read.status()) {
        case MISSING -> missing.add(read.path().text());
        case EXISTS -> visible.add(read.path().text());
        case OK, TRUNCATED -> {}
      }
    }
    unreadable.forEach(path -> rows.add(missing(path)));
    status
        .put("paths", new JsonArray(rows))
        .put("total_tokens", tokens)
        .put("missing", JsonArray.ofStrings(missing))
        .put("exists_in_visible_context", JsonArray.ofStrings(visible));
    List<ResultPart> parts = new ArrayList<>();
    if (!missing.isEmpty()) {
      parts.add(notice(missing));
    }
    parts.add(new ResultPart.Json(status.build()));
    parts.addAll(shown);
    return new ToolAnswer(parts, false);
  }

  private static JsonObject row(PathRead read) {
    JsonObject.Builder row =
        JsonObject.builder()
            .put("path", read.path().text())
            .put("status", read.status().wireName())
            .put("tokens", read.tokens())
            .put("total_chars", read.totalChars());
    read.nextOffset().ifPresent(next -> row.put("next_offset", next));
    return row.build();
  }

  private static JsonObject missing(String path) {
    return JsonObject.builder()
        .put("path", path)
        .put("status", PathRead.Status.MISSING.wireName())
        .put("tokens", 0)
        .put("total_chars", 0)
        .build();
  }

  private static ResultPart notice(List<String> missing) {
    return new ResultPart.Notice(
        JsonObject.builder()
            .put("code", "read_paths_missing")
            .put("message", "nothing is stored under: " + String.join(", ", missing))
            .put("paths", JsonArray.ofStrings(missing))
            .build());
  }
}

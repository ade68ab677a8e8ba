package dev.contexture.render;

import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.Dialect;
import dev.contexture.view.DroppedBlock;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** A rendered context as the answer of a render call. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RenderCodec {
  private static final Pattern PREVIEW = Pattern.compile("\\[PREVIEW\\] ([0-9]+) tokens");

  private RenderCodec() {}

  /**
   * Writes the answer.
   *
   * @param extra what the caller adds behind the report: compaction, pruning, version
   */
  public static JsonObject write(RenderedContext context, JsonObject extra) {
    JsonObject.Builder json = JsonObject.builder();
    boolean transcript = context.view().dialect() == Dialect.TRANSCRIPT;
    if (transcript) {
      json.put(
          "blocks",
          new JsonArray(context.transcript().stream().<JsonValue>map(RenderCodec::write).toList()));
    } else {
      json.put("messages", messages(context));
    }
    json.put("cache_points", points(context, transcript));
    RenderReport report = context.report();
    json.put("tokens", tokens(report));
    json.put("over_limit", report.overLimit());
    json.put("counter", report.counter());
    json.put("ratio", new JsonNumber(report.ratio().toPlainString()));
    json.put(
        "dropped",
        new JsonArray(report.dropped().stream().<JsonValue>map(RenderCodec::write).toList()));
    json.put(
        "prefix_changed_at",
        report.prefixChangedAt().<JsonValue>map(RenderCodec::write).orElse(JsonNull.NULL));
    return json.putAll(extra).build();
  }

  /**
   * What compaction did, for the answer: its report, or null when nothing was due, and previews;
   * and how many turns a limit left out.
   */
  public static JsonObject compaction(CompactionOutcome outcome, Timeline timeline) {
    CompactionReport report = outcome.report();
    boolean due = report.status() != CompactionReport.Status.NOT_NEEDED;
    List<JsonValue> previews = new ArrayList<>();
    outcome.previews().forEach(preview -> previews.add(preview(preview, timeline)));
    return JsonObject.builder()
        .put("compaction", due ? report.toJson() : JsonNull.NULL)
        .put("previews", new JsonArray(previews))
        .put("omitted_turns", TurnLimit.omittedTurns(timeline))
        .build();
  }

  private static JsonObject preview(Visibility preview, Timeline timeline) {
    JsonObject.Builder json = JsonObject.builder();
    for (TimelineEntry entry : timeline.entries().reversed()) {
      if (entry.seq().isPresent() && entry.seq().getAsLong() == preview.seq()) {
        entry.block().path().ifPresent(path -> json.put("path", path.text()));
        break;
      }
    }
    if (preview.reason() == Visibility.Reason.ARGUMENTS) {
      json.put("reason", preview.reason().wireName());
    }
    Matcher tokens = PREVIEW.matcher(preview.replacement());
    return tokens.lookingAt()
        ? json.put("tokens", new JsonNumber(tokens.group(1))).build()
        : json.build();
  }

  private static JsonObject tokens(RenderReport report) {
    JsonObject.Builder tokens = JsonObject.builder();
    tokens.put("system", report.systemTokens());
    tokens.put("stable", report.stableTokens());
    tokens.put("tail", report.tailTokens());
    tokens.put("total", report.totalTokens());
    tokens.put(
        "limit",
        report.limit().isPresent() ? JsonValue.of(report.limit().getAsLong()) : JsonNull.NULL);
    return tokens.build();
  }

  private static JsonObject write(RenderedPart rendered) {
    JsonObject.Builder json = JsonObject.builder();
    put(json, rendered.part());
    if (rendered.cache()) {
      json.put("cache", true);
    }
    json.put("block_type", rendered.blockType());
    rendered.path().ifPresent(path -> json.put("path", path.text()));
    rendered.turnId().ifPresent(turn -> json.put("turn_id", turn.value()));
    rendered.seq().ifPresent(seq -> json.put("seq", seq));
    return json.build();
  }

  private static JsonArray messages(RenderedContext context) {
    List<JsonValue> messages = new ArrayList<>();
    for (int m = 0; m < context.messages().size(); m++) {
      Message message = context.messages().get(m);
      List<JsonValue> content = new ArrayList<>();
      for (int p = 0; p < message.parts().size(); p++) {
        JsonObject part = part(message.parts().get(p));
        content.add(isMarked(context, m, p) ? part.with("cache", JsonValue.of(true)) : part);
      }
      messages.add(
          JsonObject.builder()
              .put("role", message.role().wireName())
              .put("content", new JsonArray(content))
              .build());
    }
    return new JsonArray(messages);
  }

  private static boolean isMarked(RenderedContext context, int message, int part) {
    return context.points().stream()
        .anyMatch(place -> place.message() == message && place.part() == part);
  }

  private static JsonArray points(RenderedContext context, boolean transcript) {
    List<JsonValue> points = new ArrayList<>();
    for (RenderedPoint place : context.points()) {
      JsonObject.Builder json = JsonObject.builder();
      json.put("name", place.point().kind().wireName());
      if (transcript) {
        json.put("index", place.part());
      } else {
        json.put("message", place.message()).put("part", place.part());
      }
      points.add(json.put("tokens", place.point().tokens()).build());
    }
    return new JsonArray(points);
  }

  /** One part on the wire. */
  public static JsonObject part(Part part) {
    JsonObject.Builder json = JsonObject.builder();
    put(json, part);
    return json.build();
  }

  private static void put(JsonObject.Builder json, Part part) {
    switch (part) {
      case Part.Text text -> json.put("type", "text").put("text", text.text());
      case Part.Image image ->
          json.put("type", "image")
              .put("data", image.data().base64())
              .put("media_type", image.mediaType());
      case Part.Document document ->
          json.put("type", "document")
              .put("data", document.data().base64())
              .put("media_type", document.mediaType());
      case Part.ToolCall call ->
          json.put("type", "tool_call")
              .put("tool_call_id", call.id().value())
              .putIfPresent("provider_call_id", call.providerCallId())
              .put("tool", call.name())
              .put("arguments", JsonValue.parse(call.arguments()));
      case Part.ToolResult result ->
          json.put("type", "tool_result")
              .put("tool_call_id", result.id().value())
              .putIfPresent("provider_call_id", result.providerCallId())
              .put("is_error", result.isError())
              .put(
                  "content",
                  new JsonArray(
                      result.content().stream().<JsonValue>map(RenderCodec::part).toList()));
      case Part.Opaque opaque ->
          json.put("type", "opaque")
              .put("provider", opaque.provider())
              .put("model", opaque.model())
              .put("kind", opaque.kind())
              .put("json", opaque.raw());
    }
  }

  private static JsonObject write(DroppedBlock dropped) {
    JsonObject.Builder json = JsonObject.builder();
    json.put(
        "seq",
        dropped.entry().seq().isPresent()
            ? JsonValue.of(dropped.entry().seq().getAsLong())
            : JsonNull.NULL);
    dropped.entry().block().path().ifPresent(path -> json.put("path", path.text()));
    return json.put("reason", dropped.reason().wireName()).build();
  }

  private static JsonObject write(PrefixChange change) {
    return JsonObject.builder()
        .put("index", change.index())
        .put("cause", change.cause().wireName())
        .build();
  }
}

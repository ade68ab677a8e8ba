package dev.contexture.timeline;

import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Limits;
import dev.contexture.block.Timestamps;
import dev.contexture.block.TurnId;
import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A whole timeline as JSON: {@code {"blocks": [...], "active_turn", "turns", "archived",
 * "visibility", "sources", "source_ids", "announce", "pins"}}, of which only the blocks are
 * required.
 *
 * <p>A {@code conv.range.summary} among the blocks is a summary that stands before the block that
 * follows it. Writing and reading again gives an equal timeline.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TimelineCodec {
  private static final Set<String> FIELDS =
      Set.of(
          "blocks",
          "active_turn",
          "turns",
          "archived",
          "visibility",
          "sources",
          "source_ids",
          "announce",
          "pins");
  private static final Set<String> VISIBILITY =
      Set.of("seq", "replacement_text", "reason", "at", "max_tokens", "summary_id");

  private final Limits limits;
  private final Map<TurnId, Integer> blocksPerTurn = new HashMap<>();
  private final List<Block> waitingSummaries = new ArrayList<>();
  private Timeline timeline = Timeline.empty();

  private TimelineCodec(Limits limits) {
    this.limits = limits;
  }

  /**
   * Reads a timeline. Everything is checked before anything is returned.
   *
   * @throws ContextureException that names the field, its value and what is allowed
   */
  public static Timeline read(JsonObject json, Limits limits) {
    return new TimelineCodec(limits).read(JsonFields.of(json, FIELDS));
  }

  private Timeline read(JsonFields fields) {
    if (fields.value("blocks") == null) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_REQUIRED, "blocks", null, "an array of blocks");
    }
    TurnId active = fields.string("active_turn").map(id -> turnId("active_turn", id)).orElse(null);
    timeline = timeline.withActiveTurn(active);
    List<JsonObject> blocks = fields.objects("blocks");
    for (int i = 0; i < blocks.size(); i++) {
      readBlock("blocks[" + i + "]", blocks.get(i), active);
    }
    placeSummaries(timeline.nextSeq());
    List<TurnState> turns = new ArrayList<>();
    each(fields, "turns", json -> turns.add(turn(json)));
    timeline = timeline.withTurns(turns);
    each(fields, "archived", json -> timeline = timeline.withArchived(range(json)));
    List<Visibility> records = new ArrayList<>();
    each(fields, "visibility", json -> records.add(visibility(json)));
    timeline = timeline.withVisibility(records);
    readTail(fields, active);
    each(fields, "pins", json -> timeline = timeline.withPins(timeline.pins().with(pin(json))));
    return timeline;
  }

  private void readBlock(String field, JsonObject json, @Nullable TurnId active) {
    try {
      Block block = draft(json, active).build();
      if (block.type().equals(BlockType.RANGE_SUMMARY)) {
        waitingSummaries.add(block);
        return;
      }
      limits.check(block);
      limits.checkTurn(block.turn(), blocksPerTurn.merge(block.turn(), 1, Integer::sum));
      append(json, block);
    } catch (ContextureException refused) {
      throw refused.within(field);
    }
  }

  private static Block.Builder draft(JsonObject json, @Nullable TurnId active) {
    Block.Builder draft = BlockCodec.readContribution(json.without("persist"));
    if (draft.turn().isEmpty() && active != null) {
      draft.turn(active);
    }
    return draft;
  }

  private void append(JsonObject json, Block block) {
    JsonFields place = JsonFields.of(json, json.keys());
    if (!place.flag("persist", true)) {
      timeline = timeline.appendNotPersisted(block);
      return;
    }
    long seq = place.number("seq").orElse(timeline.nextSeq());
    if (seq < timeline.nextSeq()) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_TYPE, "seq", seq, "a number above those before it");
    }
    placeSummaries(seq);
    timeline = timeline.skipTo(seq).append(block);
  }

  private void placeSummaries(long cutSeq) {
    for (Block block : waitingSummaries) {
      timeline = timeline.withSummary(summary(block, cutSeq));
    }
    waitingSummaries.clear();
  }

  private static Summary summary(Block block, long cutSeq) {
    JsonObject extra = block.unknownFields();
    JsonFields fields = JsonFields.of(extra, extra.keys());
    String text = block.text().orElse("");
    Instant created = ts(fields, "created_at");
    return new Summary(
        fields.string("summary_id").orElse("su_" + cutSeq),
        fields.number("cut_seq").orElse(cutSeq),
        fields.number("from_seq").orElse(1),
        block.turn(),
        text,
        fields.string("main_text").orElse(text),
        fields.string("split_text").orElse(""),
        block.meta(),
        created == null ? block.ts().orElse(Instant.EPOCH) : created,
        fields.flag("withdrawn", false));
  }

  private static TurnState turn(JsonObject json) {
    JsonFields fields =
        JsonFields.of(json, Set.of("turn_id", "status", "agent", "started_at", "ended_at"));
    return new TurnState(
        turnId("turn_id", fields.requiredString("turn_id")),
        status(fields.requiredString("status")),
        fields.string("agent").orElse(null),
        ts(fields, "started_at"),
        ts(fields, "ended_at"));
  }

  private static TurnStatus status(String name) {
    for (TurnStatus status : TurnStatus.values()) {
      if (status.wireName().equals(name)) {
        return status;
      }
    }
    throw ContextureException.invalid(
        ErrorCode.FIELD_TYPE, "status", name, Choices.inWords(TurnStatus.values()));
  }

  private static ArchivedRange range(JsonObject json) {
    JsonFields fields =
        JsonFields.of(
            json,
            Set.of(
                "archive_id",
                "from_seq",
                "to_seq",
                "turn_ids",
                "strategy",
                "summary_id",
                "created_at"));
    return new ArchivedRange(
        fields.requiredString("archive_id"),
        seq(fields, "from_seq"),
        seq(fields, "to_seq"),
        fields.strings("turn_ids").stream().map(TurnId::of).toList(),
        fields.string("strategy").orElse(""),
        fields.string("summary_id").orElse(null),
        orEpoch(ts(fields, "created_at")));
  }

  private static Visibility visibility(JsonObject json) {
    JsonFields fields = JsonFields.of(json, VISIBILITY);
    String reason = fields.string("reason").orElse("api");
    for (Visibility.Reason known : Visibility.Reason.values()) {
      if (known.wireName().equals(reason)) {
        long seq = seq(fields, "seq");
        String text = fields.string("replacement_text").orElse("");
        return new Visibility(
            seq,
            text,
            known,
            orEpoch(ts(fields, "at")),
            fields.number("max_tokens").orElse(Visibility.ALL_VIEWS),
            fields.string("summary_id").orElse(null));
      }
    }
    throw ContextureException.invalid(
        ErrorCode.FIELD_TYPE, "reason", reason, Choices.inWords(Visibility.Reason.values()));
  }

  private Pin pin(JsonObject json) {
    JsonFields fields = JsonFields.of(json, Set.of("path", "at", "as_of"));
    String path = fields.requiredString("path");
    long asOf = fields.number("as_of").orElse(timeline.nextSeq());
    List<TimelineEntry> shown =
        timeline.entries().stream().filter(e -> !timeline.isExcluded(e.turn())).toList();
    return Pin.of(BlockPath.parse(path), orEpoch(ts(fields, "at")), asOf, shown)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.NOT_FOUND, "path", path, "the path of a block with text"));
  }

  private void readTail(JsonFields fields, @Nullable TurnId active) {
    List<PoolSource> sources = new ArrayList<>();
    each(fields, "sources", json -> sources.add(PoolSource.read(json)));
    SourcesPool known = SourcesPool.restore(List.of(), List.of(), sourceIds(fields));
    timeline = timeline.withSources(known.replace(sources, limits));
    List<Block> announce = new ArrayList<>();
    TurnId turn = active == null ? TurnId.of("none") : active;
    each(fields, "announce", json -> announce.add(announced(json, turn)));
    limits.checkAnnounce(announce);
    timeline = timeline.withAnnounce(announce);
  }

  /** The numbers of sources that are not visible, which never return for another one. */
  private static Map<String, Long> sourceIds(JsonFields fields) {
    JsonObject ids = fields.object("source_ids").orElse(JsonObject.EMPTY);
    JsonFields numbers = JsonFields.of(ids, ids.keys());
    Map<String, Long> known = new HashMap<>();
    ids.keys().forEach(key -> known.put(key, seq(numbers, key)));
    return known;
  }

  private static Block announced(JsonObject json, TurnId turn) {
    boolean typed = json.has("type") || json.has("kind");
    JsonObject block = typed ? json : json.with("type", JsonValue.of(BlockType.ANNOUNCE.name()));
    return draft(block, turn).build();
  }

  private static void each(
      JsonFields fields, String name, java.util.function.Consumer<JsonObject> use) {
    List<JsonObject> items = fields.objects(name);
    for (int i = 0; i < items.size(); i++) {
      try {
        use.accept(items.get(i));
      } catch (ContextureException refused) {
        throw refused.within(name + "[" + i + "]");
      }
    }
  }

  private static long seq(JsonFields fields, String name) {
    long seq = fields.number(name).orElse(0);
    if (seq < 1) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_TYPE, name, fields.value(name), "a number from 1");
    }
    return seq;
  }

  private static TurnId turnId(String field, String id) {
    try {
      return TurnId.of(id);
    } catch (ContextureException refused) {
      throw ContextureException.invalid(refused.code(), field, id, "1 to 128 of A-Z a-z 0-9 _ -");
    }
  }

  private static @Nullable Instant ts(JsonFields fields, String name) {
    JsonValue value = fields.value(name);
    return value == null ? null : Timestamps.read(value);
  }

  private static Instant orEpoch(@Nullable Instant instant) {
    return instant == null ? Instant.EPOCH : instant;
  }

  /** Writes a timeline with everything it holds, summaries in their places. */
  public static JsonObject write(Timeline timeline) {
    JsonObject.Builder json = JsonObject.builder();
    json.put("blocks", new JsonArray(blocks(timeline)));
    timeline.activeTurn().ifPresent(turn -> json.put("active_turn", turn.value()));
    put(json, "turns", timeline.turns().values().stream().map(TimelineCodec::write).toList());
    put(json, "archived", timeline.archived().stream().map(TimelineCodec::write).toList());
    put(
        json,
        "visibility",
        timeline.visibilityRecords().all().stream().map(TimelineCodec::write).toList());
    put(json, "sources", timeline.sources().rows().stream().map(PoolSource::write).toList());
    JsonObject ids = retiredSourceIds(timeline.sources());
    if (!ids.isEmpty()) {
      json.put("source_ids", ids);
    }
    put(json, "announce", timeline.announce().stream().map(BlockCodec::write).toList());
    put(json, "pins", timeline.pins().all().stream().map(TimelineCodec::write).toList());
    return json.build();
  }

  private static JsonObject retiredSourceIds(SourcesPool pool) {
    Set<Long> visible = pool.rows().stream().map(PoolSource::sid).collect(Collectors.toSet());
    JsonObject.Builder ids = JsonObject.builder();
    pool.sidsByKey().entrySet().stream()
        .filter(known -> !visible.contains(known.getValue()))
        .sorted(Map.Entry.comparingByValue())
        .forEach(known -> ids.put(known.getKey(), known.getValue()));
    return ids.build();
  }

  private static void put(JsonObject.Builder json, String name, List<JsonObject> items) {
    if (!items.isEmpty()) {
      json.put(name, new JsonArray(List.copyOf(items)));
    }
  }

  private static List<JsonValue> blocks(Timeline timeline) {
    List<JsonValue> blocks = new ArrayList<>();
    List<Summary> waiting = new ArrayList<>(timeline.summaries());
    for (TimelineEntry entry : timeline.entries()) {
      entry.seq().ifPresent(seq -> moveDue(waiting, seq, blocks));
      blocks.add(write(entry, timeline));
    }
    moveDue(waiting, Long.MAX_VALUE, blocks);
    return blocks;
  }

  private static void moveDue(List<Summary> waiting, long seq, List<JsonValue> blocks) {
    waiting.stream().filter(s -> s.cutSeq() <= seq).forEach(s -> blocks.add(write(s)));
    waiting.removeIf(s -> s.cutSeq() <= seq);
  }

  /** A block of the timeline on the wire: with its number, and as it is shown. */
  public static JsonObject write(TimelineEntry entry, Timeline timeline) {
    JsonObject.Builder json = JsonObject.builder();
    JsonObject block = BlockCodec.write(entry.block());
    json.putAll(block.without("hidden").without("replacement_text"));
    timeline
        .visibility(entry)
        .ifPresent(
            record -> {
              json.put("hidden", true);
              json.put("replacement_text", record.replacement());
            });
    if (entry.block().meta().isTrue("hidden") && timeline.visibility(entry).isEmpty()) {
      json.put("hidden", false); // shown again, though it was contributed as hidden
    }
    if (entry.seq().isPresent()) {
      json.put("seq", entry.seq().getAsLong());
    } else {
      json.put("persist", false);
    }
    return json.build();
  }

  /** A summary on the wire, as the block that stands in its place. */
  public static JsonObject write(Summary summary) {
    return JsonObject.builder()
        .put("type", BlockType.RANGE_SUMMARY.name())
        .put("author", "system")
        .put("turn_id", summary.turn().value())
        .put("mime", Block.DEFAULT_MIME)
        .put("path", summary.path().text())
        .put("text", summary.text())
        .put("meta", summary.meta())
        .put("summary_id", summary.id())
        .put("cut_seq", summary.cutSeq())
        .put("from_seq", summary.fromSeq())
        .put("main_text", summary.mainText())
        .put("split_text", summary.splitText())
        .put("created_at", summary.createdAt().toString())
        .put("withdrawn", summary.withdrawn())
        .build();
  }

  private static JsonObject write(TurnState turn) {
    return JsonObject.builder()
        .put("turn_id", turn.id().value())
        .put("status", turn.status().wireName())
        .putIfPresent("agent", turn.agent())
        .putIfPresent("started_at", turn.started().map(Instant::toString).orElse(null))
        .putIfPresent("ended_at", turn.ended().map(Instant::toString).orElse(null))
        .build();
  }

  private static JsonObject write(ArchivedRange range) {
    return JsonObject.builder()
        .put("archive_id", range.id())
        .put("from_seq", range.fromSeq())
        .put("to_seq", range.toSeq())
        .put("turn_ids", JsonArray.ofStrings(range.turns().stream().map(TurnId::value).toList()))
        .put("strategy", range.strategy())
        .putIfPresent("summary_id", range.summaryId())
        .put("created_at", range.createdAt().toString())
        .build();
  }

  private static JsonObject maxTokens(Visibility record) {
    return JsonObject.of("max_tokens", JsonValue.of(record.maxTokens()));
  }

  private static JsonObject write(Pin pin) {
    return JsonObject.builder()
        .put("path", pin.path().text())
        .put("at", pin.at().toString())
        .put("as_of", pin.asOf())
        .build();
  }

  private static JsonObject write(Visibility record) {
    return JsonObject.builder()
        .put("seq", record.seq())
        .put("replacement_text", record.replacement())
        .put("reason", record.reason().wireName())
        .put("at", record.at().toString())
        .putAll(record.isForAllViews() ? JsonObject.EMPTY : maxTokens(record))
        .putIfPresent("summary_id", record.summaryId())
        .build();
  }
}

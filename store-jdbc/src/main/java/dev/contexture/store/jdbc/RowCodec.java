package dev.contexture.store.jdbc;

import dev.contexture.block.BlockPath;
import dev.contexture.block.CallId;
import dev.contexture.block.Timestamps;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.store.PinRow;
import dev.contexture.store.RequestRow;
import dev.contexture.store.SourceRow;
import dev.contexture.store.TurnRow;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.UpdateRow;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the content of rows as JSON, and reads it. A reading of a whole row checks its stamp. */
final class RowCodec {
  static final String AGENT_COLUMNS = "agent, created_at, body, stamp";
  static final String BLOCK_COLUMNS =
      "b.block, b.owner, b.label, b.settings, b.settings_version, b.seq, b.checkpoint_seq, b.size,"
          + " b.created_at, b.updated_at, b.deleted, b.stamp, b.of_user";
  static final String ARCHIVAL_COLUMNS = "entry, agent, body, at, stamp, of_user";
  static final String CONSENT_COLUMNS =
      "consent, block, request, asked_at, expires_at, answer, stamp";
  static final String EVENT_COLUMNS =
      "number, at, agent, block, type, importance, details, stamp, of_user";

  /** The member of a summary's row that holds ranges of turns. */
  static final String COVERED = "covered";

  private RowCodec() {}

  static JsonObject parse(String body) {
    return (JsonObject) JsonValue.parse(body);
  }

  static String write(TurnRow turn) {
    JsonObject.Builder body = JsonObject.builder();
    body.putIfPresent("agent", turn.agent());
    TurnRow.Parent parent = turn.parent();
    if (parent != null) {
      JsonObject.Builder call = JsonObject.builder();
      call.put("conversation", parent.conversation()).put("turn", parent.turn().value());
      CallId id = parent.toolCallId();
      body.put("parent", call.putIfPresent("call", id == null ? null : id.value()).build());
    }
    body.put("started_at", turn.startedAt().toString());
    Instant ended = turn.endedAt();
    body.putIfPresent("ended_at", ended == null ? null : ended.toString());
    TurnRow.Lease lease = turn.lease();
    if (lease != null) {
      body.put("lease_owner", lease.owner()).put("lease_until", lease.until().toString());
    }
    return body.put("meta", turn.meta()).build().toJson();
  }

  static TurnRow turn(String turn, int status, String body) {
    JsonObject json = parse(body);
    return new TurnRow(
        TurnId.of(turn),
        status(status),
        json.string("agent").orElse(null),
        json.object("parent").map(RowCodec::parent).orElse(null),
        time(json, "started_at"),
        json.string("ended_at").map(RowCodec::time).orElse(null),
        json.string("lease_owner")
            .map(owner -> new TurnRow.Lease(owner, time(json, "lease_until")))
            .orElse(null),
        json.object("meta").orElse(JsonObject.EMPTY));
  }

  /** The number that stands for a status in a column; 3 and above are excluded turns. */
  static int code(TurnStatus status) {
    return switch (status) {
      case OPEN -> 0;
      case COMPLETE -> 1;
      case INTERRUPTED -> 2;
      case ABORTED -> 3;
      case INCOMPLETE -> 4;
    };
  }

  static TurnStatus status(int code) {
    for (TurnStatus status : TurnStatus.values()) {
      if (code(status) == code) {
        return status;
      }
    }
    throw RowChecksum.damaged("turn", "with status " + code, "has no such status", null);
  }

  private static TurnRow.Parent parent(JsonObject json) {
    return new TurnRow.Parent(
        text(json, "conversation"),
        TurnId.of(text(json, "turn")),
        json.string("call").map(CallId::of).orElse(null));
  }

  /**
   * A summary.
   *
   * @param covered the turns that it covers, as ranges; null: as its metadata has them
   */
  static String write(Summary summary, @Nullable JsonArray covered) {
    JsonObject.Builder body = JsonObject.builder();
    if (covered != null) {
      body.put(COVERED, covered);
    }
    return body.put("from_seq", summary.fromSeq())
        .put("turn", summary.turn().value())
        .put("text", summary.text())
        .put("main_text", summary.mainText())
        .put("split_text", summary.splitText())
        .put("meta", covered == null ? summary.meta() : CoveredTurns.without(summary.meta()))
        .put("created_at", summary.createdAt().toString())
        .build()
        .toJson();
  }

  static Summary summary(
      String id, long cutSeq, boolean withdrawn, JsonObject json, JsonObject meta) {
    return new Summary(
        id,
        cutSeq,
        number(json, "from_seq"),
        TurnId.of(text(json, "turn")),
        text(json, "text"),
        text(json, "main_text"),
        text(json, "split_text"),
        meta,
        time(json, "created_at"),
        withdrawn);
  }

  static String write(ArchivedRange range) {
    return JsonObject.builder()
        .put("turns", strings(range.turns().stream().map(TurnId::value).toList()))
        .put("strategy", range.strategy())
        .putIfPresent("summary_id", range.summaryId())
        .put("created_at", range.createdAt().toString())
        .build()
        .toJson();
  }

  static ArchivedRange range(String id, long fromSeq, long toSeq, String body) {
    JsonObject json = parse(body);
    return new ArchivedRange(
        id,
        fromSeq,
        toSeq,
        strings(json, "turns").stream().map(TurnId::of).toList(),
        text(json, "strategy"),
        json.string("summary_id").orElse(null),
        time(json, "created_at"));
  }

  /** The records of one block: one for all views stands for itself, those of budgets in a list. */
  static String write(List<Visibility> ofBlock) {
    if (ofBlock.getFirst().isForAllViews()) {
      return json(ofBlock.getFirst()).build().toJson();
    }
    List<JsonValue> views = new ArrayList<>();
    for (Visibility record : ofBlock) {
      views.add(json(record).put("max_tokens", record.maxTokens()).build());
    }
    return JsonObject.of("views", new JsonArray(views)).toJson();
  }

  private static JsonObject.Builder json(Visibility record) {
    return JsonObject.builder()
        .put("replacement", record.replacement())
        .put("reason", record.reason().wireName())
        .put("at", record.at().toString())
        .putIfPresent("summary", record.summaryId());
  }

  static List<Visibility> visibility(long seq, String body) {
    JsonObject json = parse(body);
    JsonArray views = json.array("views").orElse(null);
    return views == null
        ? List.of(visibility(seq, json, Visibility.ALL_VIEWS))
        : views.items().stream()
            .map(JsonObject.class::cast)
            .map(view -> visibility(seq, view, number(view, "max_tokens")))
            .toList();
  }

  private static Visibility visibility(long seq, JsonObject json, long maxTokens) {
    return new Visibility(
        seq,
        text(json, "replacement"),
        Visibility.Reason.valueOf(text(json, "reason").toUpperCase(Locale.ROOT)),
        time(json, "at"),
        maxTokens,
        json.string("summary").orElse(null));
  }

  static String write(PinRow pin) {
    return JsonObject.builder()
        .put("at", pin.at().toString())
        .put("as_of", pin.asOf())
        .build()
        .toJson();
  }

  static PinRow pin(ResultSet row) throws SQLException {
    String path = row.getString(1);
    JsonObject json = parse(RowChecksum.read(row, 2, path, "pin", path));
    return new PinRow(BlockPath.parse(path), time(json, "at"), number(json, "as_of"));
  }

  static String write(SourceRow source) {
    return JsonObject.builder()
        .put("key", source.key())
        .put("visible", source.visible())
        .put("row", source.row())
        .build()
        .toJson();
  }

  static SourceRow source(long sid, String body) {
    JsonObject json = parse(body);
    return new SourceRow(
        sid,
        text(json, "key"),
        json.isTrue("visible"),
        json.object("row").orElse(JsonObject.EMPTY));
  }

  static String write(RequestRow request) {
    TurnId turn = request.turn();
    return JsonObject.builder()
        .putIfPresent("turn", turn == null ? null : turn.value())
        .put("at", request.at().toString())
        .put("record", request.record())
        .put("binaries", strings(request.binaries().stream().sorted().toList()))
        .put("sent", request.sent())
        .put("memory", strings(request.memory().stream().sorted().toList()))
        .build()
        .toJson();
  }

  static RequestRow request(String id, String body) {
    JsonObject json = parse(body);
    return new RequestRow(
        id,
        json.string("turn").map(TurnId::of).orElse(null),
        time(json, "at"),
        json.object("record").orElse(JsonObject.EMPTY),
        Set.copyOf(strings(json, "binaries")),
        json.object("sent").orElse(JsonObject.EMPTY),
        Set.copyOf(strings(json, "memory")));
  }

  static String write(AgentRow agent) {
    JsonObject.Builder body =
        JsonObject.builder().put("name", agent.name()).put("description", agent.description());
    body.putIfPresent("partner", agent.partner());
    JsonObject template = agent.template();
    return (template == null ? body : body.put("template", template)).build().toJson();
  }

  static AgentRow agent(ResultSet row) throws SQLException {
    String agent = row.getString(1);
    String body = RowChecksum.read(row, 3, agent, "agent", agent);
    JsonObject json = parse(body);
    return new AgentRow(
        agent,
        text(json, "name"),
        text(json, "description"),
        ConversationState.instant(row.getLong(2)),
        json.string("partner").orElse(null),
        json.object("template").orElse(null));
  }

  static String write(BlockSettings settings) {
    JsonObject.Builder body =
        JsonObject.builder()
            .put("description", settings.description())
            .put("type", settings.type())
            .put("char_limit", settings.charLimit())
            .put("permission", settings.permission())
            .put("pinned", settings.pinned());
    JsonObject schema = settings.schema();
    return (schema == null ? body : body.put("schema", schema)).build().toJson();
  }

  /** Of the row of a block. */
  static long stamp(
      String block, String owner, @Nullable String user, String label, String settings) {
    String name = user == null ? owner : owner + "\t" + user;
    return RowChecksum.of(block, String.join("\n", name, label, settings));
  }

  /** Of an archival entry. */
  static long stamp(String id, @Nullable String user, String body) {
    return RowChecksum.of(id, user == null ? body : user + "\n" + body);
  }

  /** The user that a column names. */
  static @Nullable String user(String column) {
    return column.isEmpty() ? null : column;
  }

  /** What a column says of a user. */
  static String column(@Nullable String user) {
    return user == null ? "" : user;
  }

  /** Reads {@link #BLOCK_COLUMNS}. */
  static BlockRow block(ResultSet row) throws SQLException {
    String block = row.getString(1);
    String owner = row.getString(2);
    String label = row.getString(3);
    String settings = row.getString(4);
    String user = user(row.getString(13));
    RowChecksum.check(
        row.getLong(12), stamp(block, owner, user, label, settings), "memory block", block);
    return new BlockRow(
        block,
        owner,
        user,
        label,
        settings(settings),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        ConversationState.instant(row.getLong(9)),
        ConversationState.instant(row.getLong(10)),
        row.getInt(11) != 0);
  }

  private static BlockSettings settings(String body) {
    JsonObject json = parse(body);
    return new BlockSettings(
        text(json, "description"),
        text(json, "type"),
        json.object("schema").orElse(null),
        number(json, "char_limit"),
        text(json, "permission"),
        json.isTrue("pinned"));
  }

  /** The number that stands for a step in a column. */
  static int code(UpdateRow.Step step) {
    return switch (step) {
      case EDIT -> 0;
      case UNDO -> 1;
      case REDO -> 2;
    };
  }

  static UpdateRow.Step step(int code) {
    return switch (code) {
      case 0 -> UpdateRow.Step.EDIT;
      case 1 -> UpdateRow.Step.UNDO;
      case 2 -> UpdateRow.Step.REDO;
      default -> throw RowChecksum.damaged("update", "with step " + code, "has no such step", null);
    };
  }

  static String write(ArchivalRow entry) {
    JsonObject.Builder body = JsonObject.builder().put("content", entry.content());
    JsonValue metadata = entry.metadata();
    return (metadata == null ? body : body.put("metadata", metadata)).build().toJson();
  }

  static ArchivalRow archival(ResultSet row) throws SQLException {
    String id = row.getString(1);
    String body = row.getString(3);
    String user = user(row.getString(6));
    RowChecksum.check(row.getLong(5), stamp(id, user, body), "archival entry", id);
    JsonObject json = parse(body);
    return new ArchivalRow(
        id,
        row.getString(2),
        user,
        text(json, "content"),
        json.find("metadata").orElse(null),
        ConversationState.instant(row.getLong(4)));
  }

  static ConsentRow consent(ResultSet row) throws SQLException {
    String id = row.getString(1);
    String request = row.getString(3);
    String answer = row.getString(6);
    RowChecksum.check(row.getLong(7), consentStamp(id, request, answer), "consent request", id);
    return new ConsentRow(
        id,
        row.getString(2),
        parse(request),
        ConversationState.instant(row.getLong(4)),
        ConversationState.instant(row.getLong(5)),
        answer == null ? null : parse(answer));
  }

  static long consentStamp(String id, String request, @Nullable String answer) {
    return RowChecksum.of(id, answer == null ? request : request + "\n" + answer);
  }

  static MemoryEvent event(ResultSet row) throws SQLException {
    String type = row.getString(5);
    String details = RowChecksum.read(row, 7, type, "memory event", Long.toString(row.getLong(1)));
    return new MemoryEvent(
        row.getLong(1),
        ConversationState.instant(row.getLong(2)),
        row.getString(3),
        user(row.getString(9)),
        row.getString(4),
        type,
        row.getString(6),
        parse(details));
  }

  /** A text of any kind of character as one that every column can hold. */
  static @Nullable String quoted(@Nullable String text) {
    return text == null ? null : JsonValue.of(text).toJson();
  }

  static @Nullable String unquoted(@Nullable String quoted) {
    return quoted == null ? null : ((JsonString) JsonValue.parse(quoted)).value();
  }

  private static JsonArray strings(Collection<String> values) {
    return new JsonArray(values.stream().map(value -> (JsonValue) JsonValue.of(value)).toList());
  }

  private static List<String> strings(JsonObject json, String key) {
    return json.array(key).stream()
        .flatMap(array -> array.items().stream())
        .map(item -> ((JsonString) item).value())
        .toList();
  }

  private static String text(JsonObject json, String key) {
    return json.string(key).orElseThrow(() -> missing(key));
  }

  private static long number(JsonObject json, String key) {
    return json.find(key)
        .map(value -> ((JsonNumber) value).decimal().longValueExact())
        .orElseThrow(() -> missing(key));
  }

  private static Instant time(JsonObject json, String key) {
    return time(text(json, key));
  }

  /** A stored time: the usual form has a fast reader, any other is read as ISO-8601. */
  private static Instant time(String text) {
    return Timestamps.tryRead(JsonValue.of(text)).orElseGet(() -> Instant.parse(text));
  }

  private static IllegalStateException missing(String key) {
    return new IllegalStateException("a stored row lacks " + key);
  }
}

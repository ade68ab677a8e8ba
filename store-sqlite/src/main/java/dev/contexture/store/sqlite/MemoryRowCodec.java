package dev.contexture.store.sqlite;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.UpdateRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What rows of memory say, and back. Every reading checks the row's stamp. */
final class MemoryRowCodec {
  static final String AGENT_COLUMNS = "agent, created_at, body, stamp";
  static final String BLOCK_COLUMNS =
      "b.block, b.owner, b.label, b.settings, b.settings_version, b.seq, b.checkpoint_seq, b.size,"
          + " b.created_at, b.updated_at, b.deleted, b.stamp";
  static final String ARCHIVAL_COLUMNS = "entry, agent, body, at, stamp";
  static final String CONSENT_COLUMNS =
      "consent, block, request, asked_at, expires_at, answer, stamp";
  static final String EVENT_COLUMNS = "number, at, agent, block, type, importance, details, stamp";

  private MemoryRowCodec() {}

  static String write(AgentRow agent) {
    JsonObject.Builder body =
        JsonObject.builder().put("name", agent.name()).put("description", agent.description());
    String partner = agent.partner();
    return (partner == null ? body : body.put("partner", partner)).build().toJson();
  }

  static AgentRow agent(ResultSet row) throws SQLException {
    String agent = row.getString(1);
    String body = row.getString(3);
    RowChecksum.check(row.getLong(4), RowChecksum.of(agent, body), "agent", agent);
    JsonObject json = RowCodec.parse(body);
    return new AgentRow(
        agent,
        text(json, "name"),
        text(json, "description"),
        time(row.getLong(2)),
        json.string("partner").orElse(null));
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
  static long stamp(String block, String owner, String label, String settings) {
    return RowChecksum.of(block, String.join("\n", owner, label, settings));
  }

  /** Reads {@link #BLOCK_COLUMNS}. */
  static BlockRow block(ResultSet row) throws SQLException {
    String block = row.getString(1);
    String owner = row.getString(2);
    String label = row.getString(3);
    String settings = row.getString(4);
    RowChecksum.check(row.getLong(12), stamp(block, owner, label, settings), "memory block", block);
    return new BlockRow(
        block,
        owner,
        label,
        settings(settings),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        time(row.getLong(9)),
        time(row.getLong(10)),
        row.getInt(11) != 0);
  }

  private static BlockSettings settings(String body) {
    JsonObject json = RowCodec.parse(body);
    return new BlockSettings(
        text(json, "description"),
        text(json, "type"),
        json.object("schema").orElse(null),
        json.find("char_limit")
            .map(value -> ((JsonNumber) value).decimal().longValueExact())
            .orElseThrow(),
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
    RowChecksum.check(row.getLong(5), RowChecksum.of(id, body), "archival entry", id);
    JsonObject json = RowCodec.parse(body);
    return new ArchivalRow(
        id,
        row.getString(2),
        text(json, "content"),
        json.find("metadata").orElse(null),
        time(row.getLong(4)));
  }

  static ConsentRow consent(ResultSet row) throws SQLException {
    String id = row.getString(1);
    String request = row.getString(3);
    String answer = row.getString(6);
    RowChecksum.check(row.getLong(7), consentStamp(id, request, answer), "consent request", id);
    return new ConsentRow(
        id,
        row.getString(2),
        RowCodec.parse(request),
        time(row.getLong(4)),
        time(row.getLong(5)),
        answer == null ? null : RowCodec.parse(answer));
  }

  static long consentStamp(String id, String request, @Nullable String answer) {
    return RowChecksum.of(id, answer == null ? request : request + "\n" + answer);
  }

  static MemoryEvent event(ResultSet row) throws SQLException {
    String type = row.getString(5);
    String details = row.getString(7);
    RowChecksum.check(
        row.getLong(8),
        RowChecksum.of(type, details),
        "memory event",
        Long.toString(row.getLong(1)));
    return new MemoryEvent(
        row.getLong(1),
        time(row.getLong(2)),
        row.getString(3),
        row.getString(4),
        type,
        row.getString(6),
        RowCodec.parse(details));
  }

  static Instant time(long micros) {
    return ConversationState.instant(micros);
  }

  private static String text(JsonObject json, String key) {
    return json.find(key)
        .map(value -> ((JsonString) value).value())
        .orElseThrow(() -> new IllegalStateException("a stored row lacks " + key));
  }
}

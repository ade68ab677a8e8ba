package dev.contexture.store;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.SendableText;
import dev.contexture.timeline.TurnStatus;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A turn as it is put.
 *
 * @param turn its id
 * @param status where it stands
 * @param agent whose turn it is, if anybody said
 * @param parent the call that started it, if any
 * @param startedAt when it was opened
 * @param endedAt when it was closed; null while it is open
 * @param lease who works on it and until when nobody else may; null: nobody
 * @param meta what else belongs to it, such as its settings and why it ended; no text of blocks
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TurnRow(
    TurnId turn,
    TurnStatus status,
    @Nullable String agent,
    @Nullable Parent parent,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Lease lease,
    JsonObject meta) {
  public TurnRow {
    meta = SendableText.of(meta);
  }

  /** A new open turn without agent, parent or lease. */
  public static TurnRow open(TurnId turn, Instant startedAt) {
    return new TurnRow(turn, TurnStatus.OPEN, null, null, startedAt, null, null, JsonObject.EMPTY);
  }

  /** The same turn, closed: its lease ends. */
  public TurnRow closed(TurnStatus status, Instant endedAt) {
    return new TurnRow(turn, status, agent, parent, startedAt, endedAt, null, meta);
  }

  public TurnRow withAgent(@Nullable String agent) {
    return new TurnRow(turn, status, agent, parent, startedAt, endedAt, lease, meta);
  }

  public TurnRow withParent(@Nullable Parent parent) {
    return new TurnRow(turn, status, agent, parent, startedAt, endedAt, lease, meta);
  }

  public TurnRow withLease(@Nullable Lease lease) {
    return new TurnRow(turn, status, agent, parent, startedAt, endedAt, lease, meta);
  }

  public TurnRow withMeta(JsonObject meta) {
    return new TurnRow(turn, status, agent, parent, startedAt, endedAt, lease, meta);
  }

  /** The call, of the same tenant, project and user, that started a turn. */
  public record Parent(String conversation, TurnId turn, @Nullable CallId toolCallId) {}

  /**
   * The lease of the process that works on a turn.
   *
   * @param owner the process; with a store of which one process at a time is the owner, a lease of
   *     another process is dead
   * @param until when it ends
   */
  public record Lease(String owner, Instant until) {}
}

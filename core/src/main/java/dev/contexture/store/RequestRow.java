package dev.contexture.store;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The record of a request to a model.
 *
 * @param id its key in the conversation
 * @param turn the turn that it was made for, if any
 * @param at when it was made
 * @param record what is known about it, without anything that was sent
 * @param binaries SHA-256 of the content that the record refers to, put with it or before
 * @param sent what was sent, in the caller's words; empty once a memory block of it is erased
 * @param memory ids of the memory blocks whose content {@code sent} and the binaries hold
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequestRow(
    String id,
    @Nullable TurnId turn,
    Instant at,
    JsonObject record,
    Set<String> binaries,
    JsonObject sent,
    Set<String> memory) {
  public RequestRow {
    binaries = Set.copyOf(binaries);
    memory = Set.copyOf(memory);
  }

  /** A record that holds no memory and says nothing of what was sent. */
  public RequestRow(
      String id, @Nullable TurnId turn, Instant at, JsonObject record, Set<String> binaries) {
    this(id, turn, at, record, binaries, JsonObject.EMPTY, Set.of());
  }

  /** The same with more known about it. */
  public RequestRow withRecord(JsonObject next) {
    return new RequestRow(id, turn, at, next, binaries, sent, memory);
  }

  /** The same without what was sent, which says so. */
  public RequestRow erased() {
    JsonObject says = JsonObject.of("reason", JsonValue.of("memory_erased"));
    return new RequestRow(id, turn, at, record.with("erased", says), Set.of());
  }
}

package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.binary;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Reason;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.UpdateRow;
import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Rows of memory for tests of stores, with only the details that matter. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MemoryFixture {
  /** A project to work in. */
  public static final Scope SHOP = Scope.of("acme", "shop");

  private MemoryFixture() {}

  public static BlockSettings settings(String description) {
    JsonObject schema = JsonObject.of("kind", JsonValue.of("text"));
    return new BlockSettings(description, "Working", schema, 5_000, "ReadWrite", false);
  }

  public static MemoryRow adding(String block, String owner, String label) {
    return adding(block, owner, null, label);
  }

  /** A block of a user of an agent. */
  public static MemoryRow adding(String block, String owner, @Nullable String user, String label) {
    return new MemoryRow.AddBlock(block, owner, user, label, settings("about " + label));
  }

  /** An update whose delta is this text. */
  public static UpdateRow update(long seq, String text) {
    return UpdateRow.of(
        seq, UpdateRow.Step.EDIT, binary(text), NOW, JsonObject.of("actor", JsonValue.of("me")));
  }

  public static MemoryRow appending(String block, long seq, String text) {
    return new MemoryRow.AppendUpdate(block, update(seq, text));
  }

  public static MemoryRow folding(String block, long seq, String text) {
    return new MemoryRow.Consolidate(block, new CheckpointRow(seq, binary(text)));
  }

  public static ArchivalRow archival(String id, String agent, String content) {
    return archival(id, agent, null, content);
  }

  /** An entry of a user of an agent. */
  public static ArchivalRow archival(
      String id, String agent, @Nullable String user, String content) {
    return new ArchivalRow(id, agent, user, content, JsonValue.of("meta"), NOW);
  }

  /** A question that can be answered for a minute. */
  public static ConsentRow consent(String id, String block, String text) {
    JsonObject request = JsonObject.of("text", JsonValue.of(text));
    return new ConsentRow(id, block, request, NOW, NOW.plus(Duration.ofMinutes(1)), null);
  }

  public static MemoryRow event(String block, String text) {
    JsonObject details = JsonObject.of("text", JsonValue.of(text));
    return new MemoryRow.AddEvent(
        new MemoryEvent(0, NOW, "atlas", null, block, "changed", "low", details));
  }

  public static WriteSet.Builder writing(MemoryRow... rows) {
    return writing(SHOP, rows);
  }

  public static WriteSet.Builder writing(Scope scope, MemoryRow... rows) {
    WriteSet.Builder set = WriteSet.of(scope, NOW);
    for (MemoryRow row : rows) {
      set.add(row);
    }
    return set;
  }

  /** Commits what must be applied. */
  public static Commit.Committed stored(Store store, WriteSet.Builder set) {
    return StoreFixture.applied(store, set.build());
  }

  /** Commits what must be refused. */
  public static Reason refused(Store store, WriteSet.Builder set) {
    return StoreFixture.refused(store, set.build()).reason();
  }
}

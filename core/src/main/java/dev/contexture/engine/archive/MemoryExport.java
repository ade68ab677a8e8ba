package dev.contexture.engine.archive;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.Store;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.UpdateRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes what agents remember: blocks with their history, deleted ones too, and entries. */
final class MemoryExport {
  private final MemoryReader memory;
  private final Scope scope;
  private final ArchiveOutput out;

  MemoryExport(Store store, Scope scope, ArchiveOutput out) {
    this.memory = store.memory();
    this.scope = scope;
    this.out = out;
  }

  /** All of an agent, of all of its users. */
  void agent(Scope.OfAgent agent) {
    memory.agent(agent).ifPresent(this::write);
    blocks(agent);
    Pages.of(
        after -> memory.users(agent, after, Store.MAX_PAGE),
        user -> user,
        user -> blocks(agent.forUser(user)));
    entries(agent, null, true);
  }

  /** What all agents of a project have of a user. */
  void user(String user) {
    Pages.of(
        after -> memory.agents(scope, after, Store.MAX_PAGE),
        AgentRow::agent,
        agent -> ofUser(scope.agent(agent.agent()), agent, user));
  }

  private void ofUser(Scope.OfAgent agent, AgentRow row, String user) {
    if (Pages.knows(memory, agent, user)) {
      write(row);
      blocks(agent.forUser(user));
      entries(agent.forUser(user), user, false);
    }
  }

  private void write(AgentRow agent) {
    out.line(ArchiveLine.AGENT, ArchiveLine.CODEC.write(agent));
  }

  /** Deleted ones first: then their labels are free for those that live. */
  private void blocks(Scope.OfAgent owner) {
    Pages.of(
        after -> memory.deletedBlocks(owner, after, Store.MAX_PAGE), BlockRow::id, this::block);
    Pages.of(after -> memory.blocks(owner, after, Store.MAX_PAGE), BlockRow::label, this::block);
  }

  private void block(BlockRow row) {
    DocumentRows rows = memory.document(scope, row.id(), 0).orElse(null);
    if (rows == null) {
      return; // erased since it was listed
    }
    out.line(
        ArchiveLine.MEMORY,
        ArchiveLine.CODEC
            .write(rows.block())
            .with("preview", JsonValue.of(memory.preview(scope, row.id()).orElse(""))));
    Map<Long, UpdateRow> whole = new HashMap<>();
    rows.updates().forEach(update -> whole.put(update.seq(), update));
    history(row.id(), whole);
    if (rows.checkpoint() != null) {
      out.line(ArchiveLine.CHECKPOINT, ArchiveLine.CODEC.write(rows.checkpoint()));
    }
    memory
        .shares(scope, row.id())
        .forEach(share -> out.line(ArchiveLine.SHARE, ArchiveLine.CODEC.write(share)));
  }

  private void history(String block, Map<Long, UpdateRow> whole) {
    long after = 0;
    while (true) {
      List<UpdateRow> page = memory.history(scope, block, after, Store.MAX_PAGE);
      for (UpdateRow update : page) {
        JsonObject line = ArchiveLine.CODEC.write(whole.getOrDefault(update.seq(), update));
        out.line(ArchiveLine.UPDATE, line);
      }
      if (page.size() < Store.MAX_PAGE) {
        return;
      }
      after = page.getLast().seq();
    }
  }

  /**
   * @param user only entries of this user; null: all that are listed
   */
  private void entries(Scope.OfAgent agent, @Nullable String user, boolean everybody) {
    Pages.of(
        after -> memory.archival(agent, everybody, after, Store.MAX_PAGE),
        ArchivalRow::id,
        entry -> {
          if (user == null || Objects.equals(entry.user(), user)) {
            out.line(ArchiveLine.ENTRY, ArchiveLine.CODEC.write(entry));
          }
        });
  }
}

package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Reason;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Gives memory of an agent to one of its users, or back, all of it or nothing. Thread-safe. */
final class MemoryMover {
  private static final int MAX_MOVED = 1_000;

  private final MemoryServices services;
  private final BlockLookup access;
  private final NoticeFeed feed;

  MemoryMover(MemoryServices services, BlockLookup access, NoticeFeed feed) {
    this.services = services;
    this.access = access;
    this.feed = feed;
  }

  /** The rows to be written, and the result that they lead to. */
  private record Plan(WriteSet.Builder set, MemoryStore.Moved moved) {}

  MemoryStore.Moved move(Viewer viewer, String agent, MemoryStore.Move move) {
    StorePermissions.requireHost(viewer.actor(), "move");
    services.scope().agent(agent).forUser(move.to()); // checks their form
    MemoryRefusals.atMost(
        "blocks and entries to move",
        MAX_MOVED,
        move.labels().size() + move.entries().size(),
        "blocks and entries");
    for (int conflicts = 0; conflicts <= services.limits().writeAttempts(); conflicts++) {
      Plan plan = plan(viewer, agent, move);
      if (move.dryRun() || plan.moved.isEmpty() || committed(plan, agent, move)) {
        return plan.moved;
      }
    }
    throw MemoryRefusals.tooManyConflicts(agent, services.limits().writeAttempts() + 1);
  }

  private Plan plan(Viewer viewer, String agent, MemoryStore.Move move) {
    WriteSet.Builder set = WriteSet.of(services.scope(), services.now());
    List<BlockMetadata> blocks = new ArrayList<>();
    for (String label : move.labels()) {
      BlockAccess target = access.require(viewer, agent, label);
      if (!target.owned() || !Objects.equals(target.row().user(), viewer.user())) {
        throw MemoryRefusals.notFound(agent, viewer.user(), label);
      }
      if (!Objects.equals(target.row().user(), move.to())) {
        blocks.add(moved(viewer, target, move, set));
      }
    }
    List<ArchivalEntry> entries = new ArrayList<>();
    for (String id : move.entries()) {
      ArchivalRow row = entry(viewer, agent, id);
      if (!Objects.equals(row.user(), move.to())) {
        ArchivalRow now =
            new ArchivalRow(id, agent, move.to(), row.content(), row.metadata(), row.at());
        set.add(new MemoryRow.MoveArchival(id, move.to()))
            .add(new MemoryRow.IndexArchival(id))
            .add(Archive.told(viewer.actor(), row, "archival.removed", services.now()))
            .add(Archive.told(viewer.actor(), now, "archival.added", services.now()));
        entries.add(MemoryRecords.archived(now));
      }
    }
    return new Plan(set, new MemoryStore.Moved(blocks, entries));
  }

  private BlockMetadata moved(
      Viewer viewer, BlockAccess target, MemoryStore.Move move, WriteSet.Builder set) {
    BlockRow row = target.row();
    Scope.OfAgent to = services.scope().agent(row.owner()).forUser(move.to());
    if (services.rows().blockLabelled(to, row.label()).isPresent()) {
      throw MemoryRefusals.labelTaken(row.owner(), move.to(), row.label());
    }
    BlockRow now = row.forUser(move.to());
    target
        .expect(set)
        .add(new MemoryRow.MoveBlock(row.id(), move.to()))
        .add(new MemoryRow.IndexBlock(row.id()))
        .add(told(viewer, MemoryNotice.Kind.DELETED, row))
        .add(told(viewer, MemoryNotice.Kind.CREATED, now));
    return MemoryRecords.metadata(now);
  }

  /** Each side hears of the change to its own view, and nothing of the other. */
  private MemoryRow.AddEvent told(Viewer viewer, MemoryNotice.Kind kind, BlockRow row) {
    MemoryRecords.Told says = new MemoryRecords.Told(viewer.actor(), "move", "");
    return new MemoryRow.AddEvent(MemoryRecords.event(kind, row, row.seq(), says, services.now()));
  }

  private ArchivalRow entry(Viewer viewer, String agent, String id) {
    return services
        .rows()
        .archivalEntry(services.scope(), id)
        .filter(row -> row.agent().equals(agent))
        .filter(row -> Objects.equals(row.user(), viewer.user()))
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.NOT_FOUND, "entry", id, "an archival entry of the agent or user"));
  }

  /** False: others were quicker. */
  private boolean committed(Plan plan, String agent, MemoryStore.Move move) {
    switch (services.commit(plan.set.build())) {
      case Commit.Committed _unused -> {
        feed.committed();
        services.erased().accept(services.scope()); // nobody goes on with what it was shown before
        return true;
      }
      case Commit.Conflict conflict -> {
        if (conflict.reason() instanceof Reason.LabelTaken taken) {
          throw MemoryRefusals.labelTaken(agent, move.to(), taken.label());
        }
        return false;
      }
    }
  }
}

package dev.contexture.store;

import dev.contexture.json.JsonObject;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A row of the memory of a project. Blocks are memory blocks and are named by id; a row that names
 * one which does not exist is a conflict.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface MemoryRow extends Row {

  /** Puts name and description of an agent; when it was first used stays. */
  record PutAgent(AgentRow agent) implements MemoryRow {}

  /** Makes an agent known that is not; one that is stays as it is. */
  record EnsureAgent(String agent) implements MemoryRow {}

  /**
   * Makes a block without content. Its id must be unused and its label free.
   *
   * @param user of the agent, to whom it belongs; null: the agent itself
   * @param createdAt when it was made; null: with the set
   */
  record AddBlock(
      String block,
      String owner,
      @Nullable String user,
      String label,
      BlockSettings settings,
      @Nullable Instant createdAt)
      implements MemoryRow {

    /** A block that is made with the set. */
    public AddBlock(
        String block, String owner, @Nullable String user, String label, BlockSettings settings) {
      this(block, owner, user, label, settings, null);
    }
  }

  /**
   * Gives a live block to a user of its agent, or to the agent itself. Its label must be free
   * there.
   */
  record MoveBlock(String block, @Nullable String user) implements MemoryRow {}

  /** Puts settings of a live block. */
  record PutSettings(String block, BlockSettings settings) implements MemoryRow {}

  /** Appends an update to a live block. Its number must be the next one. */
  record AppendUpdate(String block, UpdateRow update) implements MemoryRow {}

  /**
   * Puts the text by which a block is listed and searched.
   *
   * @param text null: none is kept, since it follows from the content
   * @param size of the content, as the caller counts it
   */
  record PutPreview(String block, @Nullable String text, long size) implements MemoryRow {}

  /** Deletes a live block; everything of it stays, and its label is free. */
  record DeleteBlock(String block) implements MemoryRow {}

  /** Brings a deleted block back. Its label must be free. */
  record RestoreBlock(String block) implements MemoryRow {}

  /**
   * Puts a checkpoint in place of the one before and of the content of the updates that it
   * contains; their numbers, times and notes stay. Its number must be higher than that of the one
   * before and at most that of the newest update. Updates with higher numbers are not touched,
   * whoever added them.
   */
  record Consolidate(String block, CheckpointRow checkpoint) implements MemoryRow {}

  /** Puts a share of a live block; that with the same agent is replaced. */
  record PutShare(String block, String agent, String level, boolean pinned) implements MemoryRow {}

  /** Removes a share, if there is one. */
  record RemoveShare(String block, String agent) implements MemoryRow {}

  /** Adds an archival entry. Its id must be unused. */
  record AddArchival(ArchivalRow entry) implements MemoryRow {}

  /** Gives an archival entry to a user of its agent, or to the agent itself, if there is one. */
  record MoveArchival(String id, @Nullable String user) implements MemoryRow {}

  /** Adds an open question. Its id must be unused. */
  record AddConsent(ConsentRow consent) implements MemoryRow {}

  /** Answers a question. It must be open and not expired when the set was made. */
  record AnswerConsent(String id, JsonObject answer) implements MemoryRow {}

  /** Drops a question, if there is one. */
  record DropConsent(String id) implements MemoryRow {}

  /** Adds an event behind all others; the oldest may go, see {@link Store#MAX_EVENTS}. */
  record AddEvent(MemoryEvent event) implements MemoryRow {}

  /** Names a block in the outbox whose searchable content changed, or that was deleted. */
  record IndexBlock(String block) implements MemoryRow {}

  /** Names an archival entry in the outbox. */
  record IndexArchival(String id) implements MemoryRow {}
}

package dev.contexture.store;

import dev.contexture.block.Scope;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockPreview;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.SharedBlock;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads what agents remember, for {@link Store#memory}, each time of one state. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface MemoryReader {
  /** An agent that was used. */
  Optional<AgentRow> agent(Scope.OfAgent agent);

  /**
   * Agents by id.
   *
   * @param after the last one of the page before; null for the first page
   */
  List<AgentRow> agents(Scope scope, @Nullable String after, int limit);

  /** A block by its id, also a deleted one. */
  Optional<BlockRow> block(Scope scope, String id);

  /** The live block of an agent, or of a user of it, that has a label. */
  Optional<BlockRow> blockLabelled(Scope.OfAgent owner, String label);

  /**
   * Live blocks of an agent, or of a user of it, by label.
   *
   * @param after the label of the last one of the page before; null for the first page
   */
  List<BlockRow> blocks(Scope.OfAgent owner, @Nullable String after, int limit);

  /**
   * Deleted blocks of an agent, or of a user of it, by id, the oldest first.
   *
   * @param after the id of the last one of the page before; null for the first page
   */
  List<BlockRow> deletedBlocks(Scope.OfAgent owner, @Nullable String after, int limit);

  /**
   * Live blocks of all agents and users whose label starts with a text, by label, owner and user.
   *
   * @param after the end of the page before; null for the first page
   */
  List<BlockRow> blocksWithPrefix(
      Scope scope, String prefix, BlockRow.@Nullable Cursor after, int limit);

  /**
   * The content of a block, also of a deleted one, for somebody who knows it up to a number.
   *
   * @param afterSeq what is known; 0: nothing, which is also right for a block that was never read
   */
  Optional<DocumentRows> document(Scope scope, String block, long afterSeq);

  /**
   * Updates of a block without their content, oldest first, also those that a checkpoint contains.
   */
  List<UpdateRow> history(Scope scope, String block, long afterSeq, int limit);

  /** The text by which a block is listed and searched; empty if none was put. */
  Optional<String> preview(Scope scope, String block);

  /**
   * Blocks with their previews by id, also deleted ones; unknown ones are absent. Costs a few
   * reads, however many ids there are.
   *
   * @param ids at most {@link Store#MAX_PAGE}
   * @throws IllegalArgumentException for more of them
   */
  Map<String, BlockPreview> previews(Scope scope, Collection<String> ids);

  /** The share of a block with an agent, also a removed one. */
  Optional<ShareRow> share(Scope scope, String block, String agent);

  /** The shares of a block that were not removed, by agent. */
  List<ShareRow> shares(Scope scope, String block);

  /**
   * Live blocks that are shared with an agent, by label, owner and user: those for all users, and
   * those of the user that is named.
   *
   * @param everybody whether those of all users
   * @param after the end of the page before; null for the first page
   */
  List<SharedBlock> sharedWith(
      Scope.OfAgent agent, boolean everybody, BlockRow.@Nullable Cursor after, int limit);

  /**
   * Which of these blocks are shared with an agent, as {@link #sharedWith} says.
   *
   * @param blocks at most {@link Store#MAX_PAGE} ids
   * @throws IllegalArgumentException for more of them
   */
  Set<String> sharedAmong(Scope.OfAgent agent, boolean everybody, Collection<String> blocks);

  /** An archival entry by its id. */
  Optional<ArchivalRow> archivalEntry(Scope scope, String id);

  /**
   * Archival entries by id; unknown ones are absent. Costs a few reads, however many ids there are.
   *
   * @param ids at most {@link Store#MAX_PAGE}
   * @throws IllegalArgumentException for more of them
   */
  Map<String, ArchivalRow> archivalEntries(Scope scope, Collection<String> ids);

  /**
   * Archival entries of an agent by id: those for all users, and those of the user that is named.
   *
   * @param everybody those of all users, whoever is named
   * @param after the last one of the page before; null for the first page
   */
  List<ArchivalRow> archival(
      Scope.OfAgent agent, boolean everybody, @Nullable String after, int limit);

  /**
   * Users of an agent who have memory of their own there, by name.
   *
   * @param after the last one of the page before; null for the first page
   */
  List<String> users(Scope.OfAgent agent, @Nullable String after, int limit);

  /** A question by its id, open or not. */
  Optional<ConsentRow> consent(Scope scope, String id);

  /** Questions without an answer, also expired ones, in the order in which they were asked. */
  List<ConsentRow> consents(Scope scope, int limit);

  /** The number of the newest event; 0: there is none. */
  long lastEvent(Scope scope);

  /** Events behind a number, oldest first. A number that was returned is followed by no smaller. */
  List<MemoryEvent> events(Scope scope, long after, int limit);

  /**
   * How many events of a project are older than a time, or not among the newest.
   *
   * @param keep how many of the newest are not counted for their number
   */
  long outlivedEvents(Scope scope, Instant before, long keep);

  /**
   * Events that have an importance, since a time and before a number, newest first.
   *
   * @param user whose events are given beside those of nobody; null: none
   * @param everybody events of all users
   */
  List<MemoryEvent> activity(
      Scope scope, @Nullable String user, boolean everybody, Instant since, long before, int limit);
}

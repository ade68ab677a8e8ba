package dev.contexture.engine.memory;

import dev.contexture.engine.search.Search;
import dev.contexture.event.Changes;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.MetadataFilter;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.ShareRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all agents of one (tenant, project).
 *
 * <p><b>Who acts.</b> On the store itself, a call that names an agent is that agent's; the others
 * are the system's. A view of {@link #actingAs} is bound to one actor: an agent then reads nothing
 * and writes nothing in another's namespace, except through sharing.
 *
 * <p><b>Addresses.</b> {@code label} is the agent's own block, {@code owner/label} one that is
 * shared with it.
 *
 * <p><b>Users.</b> A block or entry belongs to an agent, for all of its users, or to one user of
 * it. The store itself sees the former only; {@link #forUser} is the view of one user's
 * conversations, {@link #forEverybody} that of a host.
 *
 * <p><b>Missing blocks.</b> Reads of a block that is missing, deleted or not shared are empty;
 * writes to it are refused with {@code block_not_found}.
 *
 * <p><b>Durability.</b> A write that returned is durable. One that failed changed nothing, and the
 * uncommitted edits of a handle stay for another attempt. Conflicts with other processes are
 * resolved by computing the write again, at most five times, then {@code store_unavailable}.
 *
 * <p>Thread-safe; calls block and are made for virtual threads. Handles are confined to one thread.
 */
@API(status = API.Status.STABLE, since = "0.1")
public interface MemoryStore extends AutoCloseable {
  /** The same memory, as one actor sees it. */
  MemoryStore actingAs(Actor actor);

  /**
   * The same memory for one user: what belongs to that user of an agent is seen beside what the
   * agent has for all, and what is made belongs to the user. Where both have a label, it means the
   * user's block.
   *
   * @param user null: for nobody, as at first: only what agents have for all of their users is seen
   */
  MemoryStore forUser(@Nullable String user);

  /**
   * The same memory with what belongs to any user in lists, searches and notices; for the system
   * and people. A label means the agent's own block.
   */
  MemoryStore forEverybody();

  /** Users of an agent who have memory of their own there, by name; for the system and people. */
  List<String> users(String agent);

  /** The block that each user of an agent gets at the first turn, if there is one. */
  Optional<BlockTemplate> template(String agent);

  /**
   * Sets the block that each user of an agent gets at the first turn; for the system and people.
   *
   * @param template null: none; blocks that were made by one before stay
   */
  void setTemplate(String agent, @Nullable BlockTemplate template);

  /**
   * Makes the block of the agent's template for the user of this view, unless the user has one of
   * that label, or deleted it; nothing in a view for nobody. Requests do this by themselves.
   */
  void prepare(String agent);

  /**
   * Gives blocks, with their history and shares, and archival entries of this view to a user, or
   * back to the agent, all of it or nothing; for the system and people. What the user has already
   * is left out.
   *
   * @throws dev.contexture.error.ContextureException {@code block_not_found}, {@code not_found} or
   *     {@code label_taken}
   */
  Moved move(String agent, Move move);

  /**
   * The things to be moved: of {@link #forUser} what belongs to that user, else what is the
   * agent's. What is named twice is moved once.
   *
   * @param to the user; null: the agent
   * @param dryRun whether to say only what would be moved
   */
  record Move(List<String> labels, List<String> entries, @Nullable String to, boolean dryRun) {
    public Move {
      labels = labels.stream().distinct().toList();
      entries = entries.stream().distinct().toList();
    }
  }

  /** The things that were moved, as they are then. */
  record Moved(List<BlockMetadata> blocks, List<ArchivalEntry> entries) {
    public Moved {
      blocks = List.copyOf(blocks);
      entries = List.copyOf(entries);
    }

    public boolean isEmpty() {
      return blocks.isEmpty() && entries.isEmpty();
    }
  }

  /** An agent that was used, if it was. */
  Optional<AgentRow> agent(String agent);

  /**
   * Agents by id.
   *
   * @param after the last one of the page before; null for the first page
   */
  List<AgentRow> agents(@Nullable String after, int limit);

  /** Sets name or description of an agent; null leaves it as it is. */
  default AgentRow putAgent(String agent, @Nullable String name, @Nullable String description) {
    return putAgent(agent, name, description, null);
  }

  /**
   * Sets what is given about an agent, all of it or nothing; null leaves it as it is.
   *
   * @param partner as {@link #setPartner} says, for example {@code human:pat}; empty: nobody
   */
  AgentRow putAgent(
      String agent, @Nullable String name, @Nullable String description, @Nullable String partner);

  /**
   * Sets the human who approves writes to blocks of the agent at the levels Partner and Human;
   * null: nobody, so that such writes are refused at once unless a broker is configured.
   */
  default AgentRow setPartner(String agent, @Nullable Actor partner) {
    return putAgent(agent, null, null, partner == null ? "" : partner.toString());
  }

  /**
   * Makes a block.
   *
   * @return its id
   */
  String createBlock(String agent, BlockSpec spec);

  /** A handle on a block: edits show in it at once, and to others after {@code commit()}. */
  Optional<StructuredDocument> getBlock(String agent, String label);

  Optional<BlockMetadata> getBlockMetadata(String agent, String label);

  /** A live block of whatever agent, by its id, if the actor may read it. */
  Optional<BlockMetadata> describeBlock(String blockId);

  /** Live blocks of an agent, by label. */
  List<BlockMetadata> listBlocks(String agent);

  default List<BlockMetadata> listBlocksByType(String agent, MemoryBlockType type) {
    return listBlocks(agent).stream().filter(block -> block.type() == type).toList();
  }

  /** Live blocks whose label starts with a text, of all agents that the actor may read. */
  List<BlockMetadata> listBlocksByLabelPrefix(String prefix);

  /** Deletes a block; it can be restored. A missing one is no failure. */
  void deleteBlock(String agent, String label);

  /** The content as prompts show it. */
  Optional<String> getRenderedContent(String agent, String label);

  /**
   * A block that a list named, by its id, with its content as prompts show it; empty if the agent
   * does not reach it any more.
   */
  Optional<Shown> showBlock(String agent, String blockId);

  /** A block as an agent has it, and its content as prompts show it. */
  record Shown(BlockMetadata block, String content) {}

  /** The content as one value, with its version. */
  Optional<DocumentSnapshot> getSnapshot(String agent, String label);

  /**
   * Sets the text; unchanged text writes nothing.
   *
   * @return the version now
   */
  long updateBlockText(String agent, String label, String text);

  /** As without base, for what the author saw at a version: newer text stays. */
  long updateBlockText(String agent, String label, String text, long base);

  /** Appends; empty content writes nothing. */
  long appendToBlock(String agent, String label, String content);

  /** Replaces the first occurrence; false if there is none. */
  boolean replaceInBlock(String agent, String label, String find, String replacement);

  /** Commits the uncommitted edits of the calling thread's open handles of the block. */
  void persistBlock(String agent, String label);

  /**
   * Runs several operations as one commit: all of them, or none.
   *
   * @param message for the history
   * @param edits works on a handle; what it returns is returned with the version
   */
  <T> Edited<T> edit(
      String agent, String label, String message, Function<StructuredDocument, T> edits);

  /** The results of edits, and the version that holds them. */
  record Edited<T>(T result, long version) {}

  BlockMetadata setBlockPinned(String agent, String label, boolean pinned);

  BlockMetadata setBlockType(String agent, String label, MemoryBlockType type);

  BlockMetadata updateBlockSchema(String agent, String label, BlockSchema schema);

  /** Changes what is set about a block, all of it or nothing. */
  BlockMetadata configureBlock(String agent, String label, BlockChanges changes);

  /**
   * Undoes the newest step in effect; {@code done} is false if there is none. An agent undoes its
   * own steps only, people and the system those of everybody. What others wrote after the step
   * stays: the inverse is merged with it as concurrent edits are.
   */
  Undone undoBlock(String agent, String label);

  /** As {@link #undoBlock(String, String)}, the newest step of one author. */
  Undone undoBlock(String agent, String label, Actor author);

  /** Reverts the newest undo of the same steps; {@code done} is false if there is none. */
  Undone redoBlock(String agent, String label);

  /** As {@link #redoBlock(String, String)}, the newest undone step of one author. */
  Undone redoBlock(String agent, String label, Actor author);

  /** How many steps {@link #undoBlock(String, String)} can take back. */
  int undoDepth(String agent, String label);

  /** How many steps {@link #redoBlock(String, String)} can bring back. */
  int redoDepth(String agent, String label);

  /** The result of an undo or redo, and where the block stands then, for the same steps. */
  record Undone(boolean done, int undoDepth, int redoDepth, long version) {}

  /**
   * Committed updates, oldest first.
   *
   * @param afterVersion the last one of the page before; 0 for the first page
   */
  List<BlockVersion> history(String agent, String label, long afterVersion, int limit);

  /**
   * The content after an update; 0 is the empty block.
   *
   * @throws dev.contexture.error.ContextureException {@code history_trimmed} below the checkpoint,
   *     {@code invalid_argument} above the newest version
   */
  Optional<DocumentSnapshot> getBlockAt(String agent, String label, long version);

  /** Shares a block, or changes the level of its share. */
  void shareBlock(String owner, String label, String agent, MemoryPermission level);

  /** Ends a share at once; one that is absent is no failure. */
  void unshareBlock(String owner, String label, String agent);

  List<ShareRow> listShares(String owner, String label);

  /** Blocks shared with an agent, by label, then owner. */
  List<SharedBlockInfo> listSharedBlocks(String agent);

  /** A handle on a shared block; empty without a live share. */
  default Optional<StructuredDocument> getSharedBlock(
      String requester, String owner, String label) {
    return getBlock(requester, requester.equals(owner) ? label : owner + "/" + label);
  }

  /**
   * Keeps a text for good.
   *
   * @return its id
   */
  default String insertArchival(String agent, String content, @Nullable JsonValue metadata) {
    return insertArchival(agent, null, content, metadata);
  }

  /**
   * As without user, for one user of the agent.
   *
   * @param user null: as this view says, which is the agent itself unless the view is for a user
   */
  String insertArchival(
      String agent, @Nullable String user, String content, @Nullable JsonValue metadata);

  Optional<ArchivalEntry> getArchival(String agent, String id);

  /**
   * Archival entries of an agent, oldest first.
   *
   * @param after the last one of the page before; null for the first page
   */
  List<ArchivalEntry> listArchival(String agent, @Nullable String after, int limit);

  /**
   * A page of an agent's archival entries, oldest first. It may hold fewer than asked for, also
   * none, although there are more: it ends after a thousand entries that were looked at, and after
   * four million characters of content.
   *
   * @param filter what their metadata must hold; {@link MetadataFilter#NONE}: anything
   * @param after {@link ArchivalEntry.Page#next} of the page before; null for the first page
   */
  ArchivalEntry.Page listArchival(
      String agent, MetadataFilter filter, @Nullable String after, int limit);

  /** Removes an entry beyond recovery; one that is absent is no failure. */
  void deleteArchival(String id);

  /** Search as this view's actor may do it. */
  MemorySearch searching();

  /** What an agent knows: its messages, blocks and entries, and blocks shared with it. */
  default SearchResults search(String agent, String query, SearchOptions options) {
    return searching().search(agent, query, options);
  }

  /** Everything of the project; for the system only. */
  default SearchResults searchAll(String query, SearchOptions options) {
    return searching().searchAll(query, options);
  }

  /** Archival entries of an agent, best first. */
  default List<ArchivalEntry> searchArchival(String agent, String query, int limit) {
    return searching().searchArchival(agent, query, limit);
  }

  /** How far the index is, and what could not be embedded. */
  default Search.IndexStatus indexStatus() {
    return searching().indexStatus();
  }

  /** Writes that wait for the host's approval; for the system and people. */
  List<PendingConsent> pendingConsents();

  void grantConsent(String id);

  void denyConsent(String id, @Nullable String reason);

  /** Brings a deleted block back; for the system and people. */
  void restoreBlock(String blockId);

  /**
   * Deleted blocks of an agent, which can be restored or purged, the oldest first; at most as many
   * as an agent may have.
   */
  List<BlockMetadata> listDeletedBlocks(String agent);

  /**
   * Removes a block, live or deleted, with its history beyond recovery; for the system and people.
   * It is gone from reads, search, requests and the conversations that repeated it when this
   * returns; see {@code Contexture.isErasing} for copies in files that others hold.
   *
   * @return whether there was such a block
   */
  boolean purgeBlock(String blockId);

  /**
   * What happened in the project, newest first; what is about memory of a user only in a view for
   * that user.
   *
   * @param since nothing older
   * @param before nothing with this number or a higher one
   */
  List<MemoryEvent> activity(Instant since, long before, int limit);

  /**
   * Adds an event that is about no block; for the system and people.
   *
   * @return its number
   */
  long addActivity(MemoryEvent event);

  /** Commits behind a number, oldest first, as {@link #subscribe} tells them. */
  List<MemoryNotice.Changed> notices(long after, int limit);

  /**
   * Hears of every commit from now on, on one thread for all listeners.
   *
   * @param agent whose blocks; null: those of all agents
   * @param pattern {@code *}, {@code prefix*} or a label
   */
  Changes.Subscription subscribe(
      @Nullable String agent, String pattern, Consumer<MemoryNotice> listener);

  /** Takes in what other processes committed, so that subscribers hear of it now. */
  void poll();

  /** Ends subscriptions and background work; what was committed stays. */
  @Override
  void close();
}

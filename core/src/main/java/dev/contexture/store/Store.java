package dev.contexture.store;

import dev.contexture.block.Binary;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Visibility;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Durable storage of conversations and of what agents remember. It knows rows and when they may be
 * written; what they mean is decided by its caller.
 *
 * <p><b>Scope.</b> Every method carries the full scope it works in. Equal ids in another scope
 * share nothing; a conversation that does not exist reads as empty.
 *
 * <p><b>Atomicity.</b> {@link #commit} and the erasing methods apply as a whole or not at all, also
 * when the process dies in the middle; when they return, their effect is durable. Each read sees
 * one state, which is that after some number of commits.
 *
 * <p><b>Order.</b> Commits of one conversation, and those that name the same memory block, are
 * totally ordered; each one that holds a row which {@link Row#raisesVersion raises the version} of
 * its conversation raises it by exactly 1.
 *
 * <p><b>Time.</b> A store reads no clock: times and leases are values that it keeps.
 *
 * <p><b>Threading.</b> Thread-safe. All calls block until their answer is known and are made for
 * virtual threads: an implementation does its blocking work so that it never holds a carrier
 * thread. An interrupt does not end a call early, since a write whose outcome is unknown would be
 * worse; the flag stays set.
 *
 * <p><b>Failures.</b> What callers can react to is a {@link Commit.Conflict}. Everything else is a
 * {@link ContextureException}: {@code store_unavailable}, {@code store_read_only}, {@code
 * store_full}, or {@code store_damaged} with the id of what cannot be read; damaged data is never
 * skipped. A failed commit changed nothing; erasing that failed may have removed everything already
 * and is simply done again. {@link #writeProblem} says whether writes are expected to work.
 *
 * <p><b>Erasing.</b> What an erasing method removed cannot be read any more when it returns. Copies
 * that others keep in use may stay in files for a while, which {@link #isErasing} tells; the store
 * removes them in the background, also after it was closed and opened again. No other write waits
 * for that.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Store extends AutoCloseable {
  /** The most entries that one page of any read holds; a larger limit is cut to it. */
  int MAX_PAGE = 1_000;

  /**
   * About how many events of its memory a project has: when there are more, the oldest go, some
   * thousand at a time.
   */
  int MAX_EVENTS = 100_000;

  /**
   * Judges the preconditions against the state before, then applies the rows in their order.
   *
   * @return {@link Commit.Committed}, durable; or {@link Commit.Conflict}, and nothing changed
   */
  Commit commit(WriteSet set);

  /**
   * Keeps binary content for a tenant, addressed by its SHA-256; content that is there already is
   * not written again. To be called before the commit that refers to it. Content to which nothing
   * refers may be removed at any time, in which case that commit answers {@link
   * Reason.BinariesMissing} and the caller puts it again.
   */
  void putBinary(Scope scope, Binary binary);

  /**
   * Binary content that a block, a request record or a row kept with a turn of this conversation
   * refers to; content of others is not seen, even by its hash.
   *
   * @param sha256 in lower-case hex
   */
  Optional<Binary> binary(Scope.OfConversation conversation, String sha256);

  /**
   * What the engine keeps to itself under a name, the same for all who use the store and in its
   * copies. It is in no answer, export, change or message.
   *
   * @param fresh kept if there is none yet
   * @return what is kept
   */
  byte[] secret(String name, byte[] fresh);

  /** Where the conversation stands; empty if nothing was ever committed to it. */
  Optional<Head> head(Scope.OfConversation conversation);

  /** The version of a conversation; 0 if nothing was ever committed to it. */
  default long version(Scope.OfConversation conversation) {
    return head(conversation).map(Head::version).orElse(0L);
  }

  /** What the next render needs; empty if nothing was ever committed to the conversation. */
  Optional<StoredWindow> load(Scope.OfConversation conversation);

  /**
   * About how many bytes the content of {@link #load} has, told without reading it, so that what is
   * too large for the memory is not loaded; 0 where a store cannot tell.
   */
  default long windowBytes(Scope.OfConversation conversation) {
    return 0;
  }

  /**
   * Stored blocks from one sequence number to another, both included, oldest first, also those
   * before a summary, in archived ranges and of excluded turns. Erased ones leave gaps.
   *
   * @param limit the most to return; the next page starts behind the last one returned
   */
  List<StoredBlock> readRange(Scope.OfConversation conversation, long from, long to, int limit);

  /**
   * All stored blocks on a path, oldest first, together with those whose {@link
   * NewBlock#artifactPath} it is, of turns of every status.
   */
  List<StoredBlock> blocksOn(Scope.OfConversation conversation, BlockPath path);

  /** The stored blocks with these ids of their callers', by id; unknown ones are absent. */
  Map<String, StoredBlock> blocksWithIds(Scope.OfConversation conversation, Collection<String> ids);

  /**
   * Blocks of any of a project's conversations with their turns, by place, all of one state; erased
   * and unknown ones are absent. Costs a few reads, however many places there are.
   *
   * @param places at most {@link #MAX_PAGE}
   * @throws IllegalArgumentException for more of them
   */
  Map<MessagePlace, StoredMessage> messages(Scope scope, Collection<MessagePlace> places);

  /** One turn. */
  Optional<StoredTurn> turn(Scope.OfConversation conversation, TurnId turn);

  /** An agent that a turn of a conversation names, other than this one; empty: there is none. */
  default Optional<String> otherAgent(Scope.OfConversation conversation, String agent) {
    @Nullable TurnId after = null;
    List<StoredTurn> page;
    do {
      page = turns(conversation, after, MAX_PAGE);
      for (StoredTurn turn : page) {
        String other = turn.row().agent();
        if (other != null && !other.equals(agent)) {
          return Optional.of(other);
        }
        after = turn.turn();
      }
    } while (page.size() == MAX_PAGE);
    return Optional.empty();
  }

  /**
   * Turns in the order in which they were first put.
   *
   * @param after the last turn of the page before; null for the first page
   */
  List<StoredTurn> turns(Scope.OfConversation conversation, @Nullable TurnId after, int limit);

  /**
   * Closed turns that no render shows, with blocks from a sequence number on, in the order in which
   * they were first put. Costs only what is returned.
   */
  List<StoredTurn> excludedTurns(Scope.OfConversation conversation, long fromSeq, int limit);

  /** The stored blocks of one turn, oldest first. */
  List<StoredBlock> turnBlocks(Scope.OfConversation conversation, TurnId turn);

  /**
   * Summaries, also withdrawn ones: the highest cut first, then the latest.
   *
   * @param before the last summary of the page before; null for the first page
   */
  List<Summary> summaries(Scope.OfConversation conversation, @Nullable String before, int limit);

  /** One summary. */
  Optional<Summary> summary(Scope.OfConversation conversation, String id);

  /** The sources pool by sid, with the rows that are no longer visible. */
  List<SourceRow> sources(Scope.OfConversation conversation);

  /** All visibility records that count, by block. */
  List<Visibility> visibility(Scope.OfConversation conversation);

  /** All archived ranges, by their first block. */
  List<ArchivedRange> archivedRanges(Scope.OfConversation conversation);

  /** What an operation with this key led to, if it was done. */
  Optional<Outcome> outcome(Scope.OfConversation conversation, String key);

  /** One request record. */
  Optional<RequestRow> request(Scope.OfConversation conversation, String id);

  /**
   * Request records, newest first by when each was first put.
   *
   * @param before the last record of the page before; null for the first page
   */
  List<RequestRow> requests(Scope.OfConversation conversation, @Nullable String before, int limit);

  /** What the prompts of an agent in a conversation repeat, if there is something. */
  Optional<EpochRow> epoch(Scope.OfConversation conversation, String agent);

  /** The epochs of a conversation, by agent. */
  List<EpochRow> epochs(Scope.OfConversation conversation);

  /**
   * What the commits after a version did, oldest first: those that appended blocks or carried a
   * note. This is what an event stream resumes from.
   */
  List<ChangeRecord> changes(Scope.OfConversation conversation, long afterVersion, int limit);

  /**
   * Conversations of a user, newest activity first: in the order of their last commits that raised
   * a version, whatever times these had.
   *
   * @param after the end of the page before; null for the first page
   */
  List<ConversationEntry> conversations(
      Scope.OfUser owner, ConversationEntry.@Nullable Cursor after, int limit);

  /**
   * The users of a project that have conversations, newest activity first.
   *
   * @param after the end of the page before; null for the first page
   */
  List<UserEntry> users(Scope scope, UserEntry.@Nullable Cursor after, int limit);

  /**
   * What a search index of this scope has to look at again, in order of number. An entry has one
   * row, so that reading from 0 names everything there is: a lost index is rebuilt this way. What
   * changes after its row was returned gets a greater number; until then its row may stay. A number
   * that was returned is never followed later by a smaller one.
   */
  List<OutboxRow> outbox(Scope scope, long afterNumber, int limit);

  /** How much of a scope's outbox lies behind a number; costs only what is counted. */
  OutboxTail outboxTail(Scope scope, long afterNumber);

  /**
   * The scopes whose outbox holds something, by tenant and project.
   *
   * @param after the last scope of the page before; null for the first page
   */
  List<Scope> outboxScopes(@Nullable Scope after, int limit);

  /** Reads agents' memory. */
  MemoryReader memory();

  /**
   * Removes a conversation and everything of it, beyond recovery from the store's files: blocks,
   * turns, summaries, ranges, visibility, sources, request records, epochs, binaries that nothing
   * else refers to. The outbox gets one entry that says so.
   *
   * @return whether there was something to remove
   */
  boolean eraseConversation(Scope.OfConversation conversation, Instant at);

  /**
   * Removes a closed turn beyond recovery: its blocks with their visibility, its feedback and
   * outcomes, every summary and archived range that covers it, the request records made since it
   * was opened (they may quote it), and binaries that nothing else refers to. Sequence numbers of
   * other blocks stay; the version rises by 1.
   *
   * @param note for the change feed
   * @return a conflict if the turn is open or unknown
   */
  Commit eraseTurn(Scope.OfConversation conversation, TurnId turn, Instant at, JsonObject note);

  /**
   * Removes everything of a tenant beyond recovery, its memory too. The outbox of each of its
   * projects gets one entry that says so.
   *
   * @return how many conversations there were
   */
  long eraseTenant(String tenant, Instant at);

  /**
   * Removes the conversations of a user, each as {@link #eraseConversation} does. Writes of others
   * go on in between. Once begun it is finished, also after the process died.
   */
  EraseReport eraseUser(Scope.OfUser user, Instant at);

  /**
   * Removes everything of a project, its memory too. Writes of others go on in between. Once begun
   * it is finished, also after the process died. The outbox gets one entry that says so.
   */
  EraseReport eraseProject(Scope scope, Instant at);

  /**
   * Removes a memory block beyond recovery from the store's files, live or deleted: content,
   * history, preview, shares, the events and questions about it, the state of the epochs that show
   * it, what was sent in the request records that hold it, with binaries that nothing else refers
   * to, and the blocks of conversations that were appended as {@link NewBlock#memory showing} it.
   * The outbox gets one entry that says so.
   *
   * @return whether there was something to remove
   */
  boolean eraseMemoryBlock(Scope scope, String block, Instant at);

  /**
   * Removes request records beyond recovery from the store's files, with content to which nothing
   * else refers. The version of the conversation stays.
   *
   * @param ids at most {@link #MAX_PAGE}; unknown ones are passed over
   * @return how many there were
   */
  long eraseRequests(Scope.OfConversation conversation, Set<String> ids, Instant at);

  /**
   * Removes the oldest of those events of a project that are older than a time or not among the
   * newest, beyond recovery from the store's files: those that {@link MemoryReader#outlivedEvents}
   * counts.
   *
   * @param limit the most to remove at once, so that other writes wait a moment only
   * @return how many were removed
   */
  long eraseEvents(Scope scope, Instant before, long keep, int limit, Instant at);

  /**
   * Removes an archival entry beyond recovery from the store's files. The outbox gets one entry
   * that says so.
   *
   * @return whether there was something to remove
   */
  boolean eraseArchival(Scope scope, String id, Instant at);

  /**
   * Removes an agent beyond recovery from the store's files: its blocks, live and deleted, each as
   * {@link #eraseMemoryBlock} does, its archival entries, the shares that it was given, what it
   * did, what it asked for, its epochs, and its name. Writes of others go on in between. Once begun
   * it is finished, also after the process died.
   */
  EraseReport eraseAgent(Scope.OfAgent agent, Instant at);

  /**
   * Forgets the outbox rows of a scope that tell what was erased, up to a number: every index of
   * the scope has removed it, so that nobody needs the names any more.
   */
  void forgetErased(Scope scope, long upToNumber);

  /**
   * Whether other processes write to it too, and keep copies of what is in it, as indexes are: then
   * each follows what the others erase.
   */
  default boolean isShared() {
    return false;
  }

  /**
   * Calls a listener soon after another process wrote, where the store hears of it; closing what is
   * returned ends that. A call is a hint: it may come for nothing, late or never. Who needs all
   * that is written reads it behind the last number that it knows, now and then and when called.
   *
   * @param listener must not block
   */
  default Changes.Subscription whenOthersWrite(WriteTopic topic, Runnable listener) {
    return () -> {};
  }

  /**
   * A number of the outboxes of a store that is shared: whatever is committed from now on has a
   * higher one.
   */
  default long outboxEnd() {
    return 0;
  }

  /**
   * What was erased in all projects of a store that is shared, in order of number: all of it, from
   * 0 on. A number that was returned is never followed later by a smaller one.
   */
  default List<OutboxRow> erasures(long afterNumber, int limit) {
    return List.of();
  }

  /**
   * Says that this process lives, and holds nothing any more of what was erased up to a number of
   * {@link #erasures}. {@link #isErasing} waits for all that have said so lately.
   */
  default void forgotErased(long upToNumber) {}

  /** Whether copies of something that was erased may still be in the store's files. */
  default boolean isErasing() {
    return false;
  }

  /** How many write sets wait to be written now, where the store has a queue of them. */
  default int waiting() {
    return 0;
  }

  /**
   * Why writes are refused now, if that is known; empty if they are expected to work. Made for
   * health checks: it costs next to nothing while writes work, notices when they work again, and
   * also when they would fail although nobody has tried.
   */
  default Optional<ContextureException> writeProblem() {
    return Optional.empty();
  }

  /** Waits for what is being written and lets go of everything. Calls afterwards fail. */
  @Override
  void close();
}

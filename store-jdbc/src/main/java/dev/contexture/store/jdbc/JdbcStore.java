package dev.contexture.store.jdbc;

import dev.contexture.block.Binary;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.Commit;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.EpochRow;
import dev.contexture.store.EraseReport;
import dev.contexture.store.Head;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.MessagePlace;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.OutboxTail;
import dev.contexture.store.Outcome;
import dev.contexture.store.RequestRow;
import dev.contexture.store.SourceRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredMessage;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.UserEntry;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Visibility;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A store over a relational database. A subclass says how work gets to a connection, when it is
 * committed, and what a failure means. Thread-safe if that is.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class JdbcStore implements Store {
  /** In place of a tenant: what belongs to none, and the names of all. */
  protected static final String ALL_TENANTS = "*";

  /**
   * Runs a reading of one state.
   *
   * @param tenant whose rows it reads, or {@link #ALL_TENANTS}
   */
  protected abstract <T> T read(String tenant, Db.Work<T> reading);

  /**
   * Runs work in a transaction, alone or with others, and commits it. What led to a conflict or
   * failed is undone.
   *
   * @param tenant whose rows it writes, or {@link #ALL_TENANTS}
   * @param landed told whether it is there after a commit that was reported to fail
   */
  protected abstract <T> T write(String tenant, Db.Work<T> work, Db.Landed<T> landed);

  /**
   * The same for work that removes something beyond recovery, unless its result is false or a
   * conflict. It may remove what other work counts on.
   */
  protected abstract <T> T erase(String tenant, Db.Work<T> work, Db.Landed<T> landed);

  /** Removes what is too much for one transaction, step by step. */
  protected abstract EraseReport erase(EraseJob.Kind kind, Scope scope, String subject);

  @Override
  public Commit commit(WriteSet set) {
    return commit(EncodedSet.of(set));
  }

  /** Commits a set, alone or with others. */
  protected Commit commit(EncodedSet encoded) {
    WriteSet set = encoded.set();
    return write(
        set.scope().tenant(),
        db -> RowApplier.apply(db, encoded),
        (db, commit) -> RowApplier.landed(db, set, commit));
  }

  @Override
  public void putBinary(Scope scope, Binary binary) {
    byte[] content = binary.bytes();
    String sha = binary.sha256();
    write(
        scope.tenant(),
        db -> {
          RequestReads.keep(db, scope.tenant(), sha, content);
          return true;
        },
        (db, kept) -> false);
  }

  @Override
  public byte[] secret(String name, byte[] fresh) {
    return read(ALL_TENANTS, db -> SecretReads.read(db, name))
        .orElseGet(
            () ->
                write(
                    ALL_TENANTS,
                    db -> SecretReads.keep(db, name, fresh),
                    (db, kept) ->
                        SecretReads.read(db, name)
                            .filter(known -> Arrays.equals(known, kept))
                            .isPresent()));
  }

  @Override
  public Optional<Binary> binary(Scope.OfConversation conversation, String sha256) {
    return read(
        conversation.tenant(),
        db -> {
          ConversationState state = ConversationState.find(db, conversation).orElse(null);
          return state != null
                  && db.sql("SELECT 1 FROM binary_refs WHERE conv = ? AND sha = ? LIMIT 1")
                      .exists(state.id, sha256)
              ? BlockReads.content(db, conversation.tenant(), sha256)
              : Optional.empty();
        });
  }

  @Override
  public Optional<Head> head(Scope.OfConversation conversation) {
    return read(conversation, ConversationReads::head);
  }

  @Override
  public long version(Scope.OfConversation conversation) {
    return read(
        conversation.tenant(),
        db -> ConversationState.find(db, conversation).map(state -> state.version).orElse(0L));
  }

  @Override
  public Optional<StoredWindow> load(Scope.OfConversation conversation) {
    return read(conversation, ConversationReads::window);
  }

  @Override
  public long windowBytes(Scope.OfConversation conversation) {
    return read(conversation, ConversationReads::windowBytes).orElse(0L);
  }

  @Override
  public List<StoredBlock> readRange(
      Scope.OfConversation conversation, long from, long to, int limit) {
    return list(conversation, reads -> reads.blocks().range(from, to, page(limit)));
  }

  @Override
  public List<StoredBlock> blocksOn(Scope.OfConversation conversation, BlockPath path) {
    return list(conversation, reads -> reads.blocks().on(path));
  }

  @Override
  public Map<String, StoredBlock> blocksWithIds(
      Scope.OfConversation conversation, Collection<String> ids) {
    return read(conversation, reads -> reads.blocks().withIds(ids)).orElse(Map.of());
  }

  @Override
  public Map<MessagePlace, StoredMessage> messages(Scope scope, Collection<MessagePlace> places) {
    Collection<MessagePlace> page = page(places);
    return read(scope.tenant(), db -> new MessageReads(db, scope).at(page));
  }

  @Override
  public Optional<StoredTurn> turn(Scope.OfConversation conversation, TurnId turn) {
    return read(conversation, reads -> reads.turn(turn)).flatMap(found -> found);
  }

  @Override
  public Optional<String> otherAgent(Scope.OfConversation conversation, String agent) {
    return list(conversation, reads -> reads.otherAgents(agent)).stream().findFirst();
  }

  @Override
  public List<StoredTurn> turns(
      Scope.OfConversation conversation, @Nullable TurnId after, int limit) {
    return list(conversation, reads -> reads.turns(after, page(limit)));
  }

  @Override
  public List<StoredTurn> excludedTurns(
      Scope.OfConversation conversation, long fromSeq, int limit) {
    return list(conversation, reads -> reads.excludedTurns(fromSeq, page(limit)));
  }

  @Override
  public List<StoredBlock> turnBlocks(Scope.OfConversation conversation, TurnId turn) {
    return list(conversation, reads -> reads.blocks().ofTurn(turn));
  }

  @Override
  public List<Summary> summaries(
      Scope.OfConversation conversation, @Nullable String before, int limit) {
    return list(conversation, reads -> reads.summaries().page(before, page(limit)));
  }

  @Override
  public Optional<Summary> summary(Scope.OfConversation conversation, String id) {
    return read(conversation, reads -> reads.summaries().one(id)).flatMap(found -> found);
  }

  @Override
  public List<SourceRow> sources(Scope.OfConversation conversation) {
    return list(conversation, ConversationReads::sources);
  }

  @Override
  public List<Visibility> visibility(Scope.OfConversation conversation) {
    return list(conversation, ConversationReads::visibility);
  }

  @Override
  public List<ArchivedRange> archivedRanges(Scope.OfConversation conversation) {
    return list(conversation, ConversationReads::archived);
  }

  @Override
  public Optional<Outcome> outcome(Scope.OfConversation conversation, String key) {
    return read(conversation, reads -> reads.outcome(key)).flatMap(found -> found);
  }

  @Override
  public Optional<RequestRow> request(Scope.OfConversation conversation, String id) {
    return read(conversation, reads -> reads.request(id)).flatMap(found -> found);
  }

  @Override
  public List<RequestRow> requests(
      Scope.OfConversation conversation, @Nullable String before, int limit) {
    return list(conversation, reads -> reads.requests(before, page(limit)));
  }

  @Override
  public Optional<EpochRow> epoch(Scope.OfConversation conversation, String agent) {
    return read(conversation, reads -> reads.epoch(agent)).flatMap(found -> found);
  }

  @Override
  public List<EpochRow> epochs(Scope.OfConversation conversation) {
    return list(conversation, ConversationReads::epochs);
  }

  @Override
  public List<ChangeRecord> changes(
      Scope.OfConversation conversation, long afterVersion, int limit) {
    return list(conversation, reads -> reads.changes(afterVersion, page(limit)));
  }

  @Override
  public List<ConversationEntry> conversations(
      Scope.OfUser owner, ConversationEntry.@Nullable Cursor after, int limit) {
    return read(
        owner.scope().tenant(),
        db -> ConversationReads.conversations(db, owner, after, page(limit)));
  }

  @Override
  public List<UserEntry> users(Scope scope, UserEntry.@Nullable Cursor after, int limit) {
    return read(scope.tenant(), db -> ConversationReads.users(db, scope, after, page(limit)));
  }

  @Override
  public List<OutboxRow> outbox(Scope scope, long afterNumber, int limit) {
    return read(scope.tenant(), db -> Outbox.read(db, scope, afterNumber, page(limit)));
  }

  @Override
  public OutboxTail outboxTail(Scope scope, long afterNumber) {
    return read(scope.tenant(), db -> Outbox.tail(db, scope, afterNumber));
  }

  @Override
  public List<Scope> outboxScopes(@Nullable Scope after, int limit) {
    return read(ALL_TENANTS, db -> Outbox.scopes(db, after, page(limit)));
  }

  @Override
  public MemoryReader memory() {
    return new JdbcMemory(this);
  }

  @Override
  public boolean eraseConversation(Scope.OfConversation conversation, Instant at) {
    return erase(
        conversation.tenant(),
        db -> new RowEraser(db).conversation(conversation),
        (db, erased) -> ConversationState.find(db, conversation).isEmpty());
  }

  @Override
  public Commit eraseTurn(
      Scope.OfConversation conversation, TurnId turn, Instant at, JsonObject note) {
    return erase(
        conversation.tenant(),
        db -> new RowEraser(db).turn(conversation, turn, at, note),
        (db, commit) -> RowApplier.raised(db, conversation, commit));
  }

  @Override
  public long eraseTenant(String tenant, Instant at) {
    return erase(
        tenant,
        db -> new RowEraser(db).tenant(tenant),
        (db, erased) -> !RowEraser.anything(db, tenant));
  }

  @Override
  public EraseReport eraseUser(Scope.OfUser user, Instant at) {
    return erase(EraseJob.Kind.USER, user.scope(), user.user());
  }

  @Override
  public EraseReport eraseProject(Scope scope, Instant at) {
    return erase(EraseJob.Kind.PROJECT, scope, "");
  }

  @Override
  public boolean eraseMemoryBlock(Scope scope, String block, Instant at) {
    return erase(
        scope.tenant(),
        db -> new RowEraser(db).memoryBlock(scope, block),
        (db, erased) -> new MemoryReads(db, scope).block(block).isEmpty());
  }

  @Override
  public long eraseRequests(Scope.OfConversation conversation, Set<String> ids, Instant at) {
    return erase(
        conversation.owner().scope().tenant(),
        db -> RequestReads.erase(db, conversation, ids),
        (db, erased) -> false);
  }

  @Override
  public long eraseEvents(Scope scope, Instant before, long keep, int limit, Instant at) {
    return erase(
        scope.tenant(),
        db -> new MemoryReads(db, scope).eraseEvents(before, keep, page(limit)),
        (db, erased) -> false);
  }

  @Override
  public boolean eraseArchival(Scope scope, String id, Instant at) {
    return erase(
        scope.tenant(),
        db -> new RowEraser(db).archival(scope, id),
        (db, erased) -> new MemoryReads(db, scope).archivalEntry(id).isEmpty());
  }

  @Override
  public EraseReport eraseAgent(Scope.OfAgent agent, Instant at) {
    return erase(EraseJob.Kind.AGENT, agent.scope(), agent.agent());
  }

  @Override
  public void forgetErased(Scope scope, long upTo) {
    erase(scope.tenant(), db -> Outbox.forget(db, scope, upTo), (db, gone) -> false);
  }

  /** A reading of a conversation that exists. */
  private interface Reading<T> {
    T run(ConversationReads reads) throws SQLException;
  }

  private <T> Optional<T> read(Scope.OfConversation conversation, Reading<T> reading) {
    return read(
        conversation.tenant(),
        db -> {
          Optional<ConversationState> state = ConversationState.find(db, conversation);
          return state.isEmpty()
              ? Optional.empty()
              : Optional.of(reading.run(new ConversationReads(db, state.get(), conversation)));
        });
  }

  private <T> List<T> list(Scope.OfConversation conversation, Reading<List<T>> reading) {
    return read(conversation, reading).orElse(List.of());
  }

  static int page(int limit) {
    return Math.clamp(limit, 1, MAX_PAGE);
  }

  /** What one read is asked for, which is at most a page. */
  static <T> Collection<T> page(Collection<T> names) {
    if (names.size() > MAX_PAGE) {
      throw new IllegalArgumentException(
          names.size() + " names; one read takes at most " + MAX_PAGE);
    }
    return names;
  }
}

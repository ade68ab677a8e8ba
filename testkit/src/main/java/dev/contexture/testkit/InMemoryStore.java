package dev.contexture.testkit;

import dev.contexture.block.Binary;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.Commit;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Head;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.OutboxTail;
import dev.contexture.store.Outcome;
import dev.contexture.store.Reason;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.EraseReport;
import dev.contexture.store.memory.MemoryTables;
import dev.contexture.testkit.InMemoryConversation.TurnState;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, for tests: it keeps the contract of {@link Store} but for durability, and can
 * be made to fail. It does not scale. Thread-safe: one lock around everything.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InMemoryStore implements Store {
  private final ReentrantLock lock = new ReentrantLock();
  private final Faults faults;
  private final Map<Scope.OfConversation, InMemoryConversation> conversations = new HashMap<>();
  private final MemoryContents contents = new MemoryContents(conversations);
  private final InMemoryOutbox outbox = new InMemoryOutbox();
  private final InMemoryTables memory = new InMemoryTables(new Gate(), outbox);
  private boolean closed;

  public InMemoryStore() {
    this(new Faults());
  }

  public InMemoryStore(Faults faults) {
    this.faults = faults;
  }

  @Override
  public Commit commit(WriteSet set) {
    return at(
        "commit",
        () -> {
          InMemoryConversation state = conversations.get(set.conversation());
          InMemoryConversation next = state == null ? new InMemoryConversation(set.at()) : state;
          Set<String> known = contents.known(set.conversation().tenant());
          Scope scope = set.conversation().owner().scope();
          Optional<Reason> reason =
              new InMemoryPreconditions(next, known::contains, block -> memory.knows(scope, block))
                  .judge(set);
          if (reason.isPresent()) {
            return new Commit.Conflict(next.version, reason.get());
          }
          if (conversations.put(set.conversation(), next) == null || set.raisesVersion()) {
            next.rise(set.conversation(), set.at(), conversations);
          }
          Set<String> released = InMemoryBinaries.released(next, set);
          Commit commit = InMemoryWriter.apply(next, set);
          contents.keep(set);
          contents.release(set.conversation().tenant(), released);
          index(set);
          faults.reach("commit.done");
          return commit;
        });
  }

  private void index(WriteSet set) {
    for (Row row : set.rows()) {
      if (row instanceof Row.IndexTurn index) {
        outbox.changed(set.conversation(), index.turn());
      }
    }
  }

  @Override
  public void putBinary(Scope scope, Binary binary) {
    at(
        "putBinary",
        () -> {
          contents.put(scope.tenant(), binary);
          return true;
        });
  }

  @Override
  public Optional<Binary> binary(Scope.OfConversation conversation, String sha256) {
    return at(
        "binary",
        () -> {
          InMemoryConversation state = conversations.get(conversation);
          return state != null && InMemoryBinaries.of(state).contains(sha256)
              ? contents.of(conversation.tenant(), sha256)
              : Optional.empty();
        });
  }

  @Override
  public Optional<Head> head(Scope.OfConversation conversation) {
    return read("head", conversation, InMemoryConversation::head);
  }

  @Override
  public Optional<StoredWindow> load(Scope.OfConversation conversation) {
    return read("load", conversation, InMemoryConversation::window);
  }

  @Override
  public long windowBytes(Scope.OfConversation conversation) {
    return read("windowBytes", conversation, InMemoryConversation::windowBytes).orElse(0L);
  }

  @Override
  public List<StoredBlock> readRange(
      Scope.OfConversation conversation, long from, long to, int limit) {
    return from > to
        ? List.of()
        : list(
            "readRange",
            conversation,
            state ->
                InMemoryConversation.blocks(state.blocks.subMap(from, true, to, true).values())
                    .limit(page(limit)));
  }

  @Override
  public List<StoredBlock> blocksOn(Scope.OfConversation conversation, BlockPath path) {
    return list(
        "blocksOn",
        conversation,
        state ->
            state.blocks.values().stream()
                .filter(
                    entry ->
                        path.equals(entry.artifactPath())
                            || entry.block().block().path().filter(path::equals).isPresent())
                .map(InMemoryConversation.Entry::block));
  }

  @Override
  public Map<String, StoredBlock> blocksWithIds(
      Scope.OfConversation conversation, Collection<String> ids) {
    Map<String, StoredBlock> found = new LinkedHashMap<>();
    list(
            "blocksWithIds",
            conversation,
            state ->
                ids.stream()
                    .map(id -> state.seqById.getOrDefault(id, 0L))
                    .filter(state.blocks::containsKey)
                    .flatMap(
                        seq ->
                            InMemoryConversation.blocks(
                                state.blocks.subMap(seq, true, seq, true).values())))
        .forEach(block -> found.put(block.block().id().orElseThrow(), block));
    return found;
  }

  @Override
  public Optional<StoredTurn> turn(Scope.OfConversation conversation, TurnId turn) {
    return read(
            "turn",
            conversation,
            state -> Optional.ofNullable(state.turns.get(turn)).map(state::turn))
        .flatMap(Function.identity());
  }

  @Override
  public List<StoredTurn> turns(
      Scope.OfConversation conversation, @Nullable TurnId after, int limit) {
    return list(
        "turns",
        conversation,
        state ->
            after(after, List.copyOf(state.turns.keySet()), state.turns, limit).map(state::turn));
  }

  @Override
  public List<StoredTurn> excludedTurns(
      Scope.OfConversation conversation, long fromSeq, int limit) {
    return list(
        "excludedTurns",
        conversation,
        state ->
            state.turns.values().stream()
                .filter(turn -> state.excluded(turn.row.turn()))
                .map(state::turn)
                .filter(turn -> turn.lastSeq() >= fromSeq)
                .limit(page(limit)));
  }

  @Override
  public List<StoredBlock> turnBlocks(Scope.OfConversation conversation, TurnId turn) {
    return list(
        "turnBlocks",
        conversation,
        state ->
            InMemoryConversation.blocks(state.blocks.values())
                .filter(block -> block.block().turn().equals(turn)));
  }

  @Override
  public List<Summary> summaries(Scope.OfConversation conversation) {
    return list("summaries", conversation, state -> state.summaries().stream());
  }

  @Override
  public List<SourceRow> sources(Scope.OfConversation conversation) {
    return list("sources", conversation, state -> state.sources.values().stream());
  }

  @Override
  public Optional<Outcome> outcome(Scope.OfConversation conversation, String key) {
    return list("outcome", conversation, state -> Stream.ofNullable(state.outcomes.get(key)))
        .stream()
        .findFirst();
  }

  @Override
  public Optional<RequestRow> request(Scope.OfConversation conversation, String id) {
    return list("request", conversation, state -> Stream.ofNullable(state.requests.get(id)))
        .stream()
        .map(InMemoryConversation.Versioned::value)
        .findFirst();
  }

  @Override
  public List<RequestRow> requests(
      Scope.OfConversation conversation, @Nullable String before, int limit) {
    return list(
        "requests",
        conversation,
        state ->
            after(before, List.copyOf(state.requests.keySet()).reversed(), state.requests, limit)
                .map(InMemoryConversation.Versioned::value));
  }

  @Override
  public Optional<EpochRow> epoch(Scope.OfConversation conversation, String agent) {
    return list("epoch", conversation, state -> Stream.ofNullable(state.epochs.get(agent))).stream()
        .findFirst();
  }

  @Override
  public List<EpochRow> epochs(Scope.OfConversation conversation) {
    return list("epochs", conversation, state -> state.epochs.values().stream());
  }

  @Override
  public List<ChangeRecord> changes(
      Scope.OfConversation conversation, long afterVersion, int limit) {
    return list(
        "changes", conversation, state -> state.changes(afterVersion, page(limit)).stream());
  }

  @Override
  public List<ConversationEntry> conversations(
      Scope.OfUser owner, ConversationEntry.@Nullable Cursor after, int limit) {
    Comparator<ConversationEntry.Cursor> order =
        Comparator.comparing(ConversationEntry.Cursor::activity)
            .reversed()
            .thenComparing(ConversationEntry.Cursor::conversation);
    return at(
        "conversations",
        () ->
            conversations.entrySet().stream()
                .filter(entry -> entry.getKey().owner().equals(owner))
                .map(entry -> entry.getValue().entry(entry.getKey()))
                .filter(entry -> after == null || order.compare(entry.cursor(), after) > 0)
                .sorted(Comparator.comparing(ConversationEntry::cursor, order))
                .limit(page(limit))
                .toList());
  }

  @Override
  public List<OutboxRow> outbox(Scope scope, long afterNumber, int limit) {
    return at("outbox", () -> outbox.read(scope, afterNumber, page(limit)));
  }

  @Override
  public OutboxTail outboxTail(Scope scope, long afterNumber) {
    return at("outbox", () -> outbox.tail(scope, afterNumber));
  }

  @Override
  public List<Scope> outboxScopes(@Nullable Scope after, int limit) {
    return at("outbox", () -> outbox.scopes(after, page(limit)));
  }

  @Override
  public MemoryTables memory() {
    return memory;
  }

  /** Lets the memory tables work under the store's lock. */
  private final class Gate implements InMemoryTables.Gate {
    @Override
    public <T> T at(String point, Supplier<T> work) {
      return InMemoryStore.this.at(point, work);
    }

    @Override
    public void reach(String point) {
      faults.reach(point);
    }

    @Override
    public void erased(Scope scope, String block) {
      of(scope).forEach(state -> state.eraseMemory(block));
      contents.sweep(scope.tenant());
    }

    @Override
    public void erased(Scope.OfAgent agent) {
      of(agent.scope()).forEach(state -> state.epochs.remove(agent.agent()));
    }

    private Stream<InMemoryConversation> of(Scope scope) {
      return conversations.entrySet().stream()
          .filter(entry -> entry.getKey().owner().scope().equals(scope))
          .map(Map.Entry::getValue);
    }
  }

  @Override
  public boolean eraseConversation(Scope.OfConversation conversation, Instant at) {
    return at(
        "eraseConversation",
        () -> {
          boolean existed = conversations.remove(conversation) != null;
          if (existed) {
            outbox.erased(conversation);
            contents.sweep(conversation.tenant());
          }
          return existed;
        });
  }

  @Override
  public Commit eraseTurn(
      Scope.OfConversation conversation, TurnId turn, Instant at, JsonObject note) {
    return at(
        "eraseTurn",
        () -> {
          InMemoryConversation state = conversations.get(conversation);
          TurnState found = state == null ? null : state.turns.get(turn);
          if (state == null || found == null) {
            long version = state == null ? 0 : state.version;
            return new Commit.Conflict(version, new Reason.TurnUnknown(turn));
          }
          if (found.row.status() == TurnStatus.OPEN) {
            return new Commit.Conflict(state.version, new Reason.TurnOpen(turn));
          }
          InMemoryWriter.erase(state, found);
          state.lastActivityAt = at;
          state.rise(conversation, at, conversations);
          state.notes.put(state.version, new InMemoryConversation.Noted(at, note));
          outbox.erased(conversation, turn);
          contents.sweep(conversation.tenant());
          return new Commit.Committed(state.version, 0, 0);
        });
  }

  @Override
  public long eraseTenant(String tenant, Instant at) {
    return at(
        "eraseTenant",
        () -> {
          List<Scope.OfConversation> gone =
              conversations.keySet().stream().filter(c -> c.tenant().equals(tenant)).toList();
          gone.forEach(conversations::remove);
          outbox.erased(
              tenant,
              Stream.concat(
                      gone.stream().map(conversation -> conversation.owner().scope()),
                      memory.erase(tenant).stream())
                  .toList());
          contents.remove(tenant);
          return (long) gone.size();
        });
  }

  @Override
  public EraseReport eraseUser(Scope.OfUser user, Instant at) {
    return at("eraseUser", () -> new EraseReport(eraseWhere(owner -> owner.equals(user)), false));
  }

  /** Removes conversations by whose they are, and counts what they had. */
  private Map<String, Long> eraseWhere(Predicate<Scope.OfUser> which) {
    Map<String, Long> counts = new TreeMap<>();
    List<Scope.OfConversation> gone =
        conversations.keySet().stream().filter(c -> which.test(c.owner())).toList();
    for (Scope.OfConversation conversation : gone) {
      InMemoryConversation state = Objects.requireNonNull(conversations.remove(conversation));
      state.count(counts);
      outbox.erased(conversation);
      contents.sweep(conversation.tenant());
    }
    return counts;
  }

  @Override
  public EraseReport eraseProject(Scope scope, Instant at) {
    return at(
        "eraseProject",
        () -> {
          Map<String, Long> counts = eraseWhere(owner -> owner.scope().equals(scope));
          memory.erase(scope, counts);
          outbox.erased(scope);
          return new EraseReport(counts, false);
        });
  }

  @Override
  public void forgetErased(Scope scope, long upToNumber) {
    at("forgetErased", () -> outbox.forgetErased(scope, upToNumber));
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  private <T> Optional<T> read(
      String point, Scope.OfConversation conversation, Function<InMemoryConversation, T> reading) {
    return at(point, () -> Optional.ofNullable(conversations.get(conversation)).map(reading));
  }

  private <T> List<T> list(
      String point,
      Scope.OfConversation conversation,
      Function<InMemoryConversation, Stream<T>> reading) {
    return read(point, conversation, reading.andThen(Stream::toList)).orElse(List.of());
  }

  private <T> T at(String point, Supplier<T> work) {
    lock.lock();
    try {
      if (closed) {
        throw new ContextureException(ErrorCode.STORE_UNAVAILABLE, "the store is closed");
      }
      faults.reach(point);
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** The rows behind an id, in the order of the ids. */
  private static <K, V> Stream<V> after(@Nullable K last, List<K> ids, Map<K, V> rows, int limit) {
    return ids.stream()
        .skip(last == null ? 0 : ids.indexOf(last) + 1L)
        .limit(page(limit))
        .flatMap(id -> Stream.ofNullable(rows.get(id)));
  }

  private static int page(int limit) {
    return Math.clamp(limit, 1, MAX_PAGE);
  }
}

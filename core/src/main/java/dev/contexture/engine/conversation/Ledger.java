package dev.contexture.engine.conversation;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.Divergence;
import dev.contexture.request.Growth;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerChunk;
import dev.contexture.request.LedgerView;
import dev.contexture.request.Mark;
import dev.contexture.request.Prefix;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.SentBody;
import dev.contexture.store.Commit;
import dev.contexture.store.Reason;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.GrowingList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The record of everything that a conversation sent (P-50 to P-55): each request is kept before it
 * leaves, as what it adds to the one before, and is compared with that one. Inside the session's
 * lock.
 */
final class Ledger {
  private static final int RECENT = 64;
  private static final int MAX_CHUNKS = 16; // beyond, all blocks are stored anew, as one
  private static final int PRUNE_EVERY = 32;
  private static final Duration SHORT = Duration.ofMinutes(5);
  private static final Duration LONG = Duration.ofHours(1);

  private final Session session;
  private final RequestLog log;
  private final Map<String, LedgerRecord> lastByModel = new HashMap<>();
  private final Pace pace = new Pace();
  private final Growth growth = new Growth();
  private boolean loaded;
  private int sincePruned = PRUNE_EVERY;

  Ledger(Session session) {
    this.session = session;
    this.log = new RequestLog(session);
  }

  /**
   * A request that is about to be sent.
   *
   * @param facts what else is recorded about it
   * @param epoch the span in which nothing that was sent may change
   */
  record Draft(
      String id,
      Providers.Target target,
      ProviderRequest request,
      BlockFacts facts,
      JsonObject.Builder record,
      String epoch,
      LedgerSettings.Mode mode,
      dev.contexture.block.TurnId turn,
      @Nullable String agent) {}

  /** What was found when a request was entered. */
  record Entered(Prefix prefix, @Nullable Divergence divergence) {}

  /** The agent's last request to the model; none if there is none or it is not known any more. */
  LedgerView last(Providers.Target target, @Nullable String agent) {
    LedgerRecord record = lastRecord(target, agent).orElse(null);
    return record == null ? LedgerView.NONE : record.view(session.services().now());
  }

  private Optional<LedgerRecord> lastRecord(Providers.Target target, @Nullable String agent) {
    if (!loaded) {
      load();
      loaded = true;
    }
    return Optional.ofNullable(lastByModel.get(key(target, agent)));
  }

  private void load() {
    List<RequestRow> rows = log.list(null, RECENT);
    rows.reversed().forEach(row -> pace.started(row.at()));
    Set<String> seen = new HashSet<>();
    for (RequestRow row : rows) {
      if (seen.add(key(row))) {
        log.recordIfKept(row).ifPresent(record -> lastByModel.put(key(row), record));
      }
    }
  }

  /**
   * The lives that suit the pace of the conversation and of its agent (P-26), and no new cache
   * where the next request will begin anew.
   *
   * @param room tokens that may come until a compaction; negative: there is no limit
   */
  CachePolicy policy(
      CachePolicy asked, Providers.Target target, @Nullable String agent, long room) {
    LedgerRecord last = lastRecord(target, agent).orElse(null);
    CachePolicy wanted =
        asked.intent() == CachePolicy.Intent.LOOP && !growth.isWorthCaching(room)
            ? asked.withIntent(CachePolicy.Intent.LAST)
            : asked;
    CacheRules rules = target.profile().cache();
    if (rules.mode() != CacheRules.Mode.EXPLICIT || last == null || !rules.ttl().contains("1h")) {
      return wanted;
    }
    Pace ofAgent = agent == null ? pace : session.services().paces().of(session.scope(), agent);
    return wanted.withLives(life(ofAgent.gap(), last, rules), life(pace.gap(), last, rules));
  }

  /**
   * A longer life pays where requests come later than the short one lasts, and more is read than
   * written: what the simulator finds for a steady pace (P-49).
   */
  private static CachePolicy.Life life(Duration gap, LedgerRecord last, CacheRules rules) {
    if (gap.compareTo(SHORT) < 0 || gap.compareTo(LONG) > 0) {
      return CachePolicy.Life.SHORT;
    }
    CacheRules.Multipliers prices = rules.multipliers();
    long added = last.added();
    long kept = last.tokens(0) - added;
    double withLong = prices.read() * kept + prices.write1h() * added;
    double withShort = prices.write5m() * (kept + added);
    return withLong < withShort ? CachePolicy.Life.LONG : CachePolicy.Life.SHORT;
  }

  /**
   * Compares a request with the last one and keeps it.
   *
   * @throws ContextureException {@code prefix_broken} in strict mode, and nothing was kept
   */
  Entered enter(Draft draft) {
    LedgerRecord last = lastRecord(draft.target, draft.agent).orElse(null);
    Instant now = session.services().now();
    Prefix prefix = prefix(draft, last);
    Divergence divergence = null;
    if (prefix instanceof Prefix.Diverges diverges && last != null) {
      divergence = new DivergenceReport(session, log, draft, last).of(diverges.block(), now);
      if (draft.mode == LedgerSettings.Mode.STRICT) {
        throw broken(draft.id, divergence);
      }
    }
    keep(draft, last, now, prefix, divergence);
    pace.started(now);
    if (draft.agent != null) {
      session.services().paces().of(session.scope(), draft.agent).started(now);
    }
    return new Entered(prefix, divergence);
  }

  private Prefix prefix(Draft draft, @Nullable LedgerRecord last) {
    if (last == null) {
      boolean other = !lastByModel.isEmpty();
      return new Prefix.Rebased(other ? Prefix.Rebased.Reason.MODEL : Prefix.Rebased.Reason.FIRST);
    }
    if (!last.epoch().equals(draft.epoch)) {
      return new Prefix.Rebased(Prefix.Rebased.Reason.EPOCH);
    }
    if (draft.mode == LedgerSettings.Mode.OFF) {
      return new Prefix.Extends();
    }
    LedgerView view = last.view(session.services().now());
    ProviderRequest request = draft.request;
    int bound =
        preserves(draft.target.profile()) ? view.boundBlocks(request.blocks()) : view.stable();
    return Prefix.of(view, request.shared(), request.blocks().size(), bound);
  }

  /** Whether what its maker alone can read is bound to everything before it. */
  static boolean preserves(ModelProfile profile) {
    return profile.has(ModelFlag.PRESERVED_THINKING) || profile.has(ModelFlag.PRESERVED_REASONING);
  }

  private void keep(
      Draft draft,
      @Nullable LedgerRecord last,
      Instant now,
      Prefix prefix,
      @Nullable Divergence divergence) {
    Commit commit = write(draft, stored(draft, last, now, false), prefix, divergence);
    if (commit instanceof Commit.Conflict missing
        && missing.reason() instanceof Reason.BinariesMissing) {
      commit = write(draft, stored(draft, last, now, true), prefix, divergence);
    }
    switch (commit) {
      case Commit.Committed done -> publish(draft, prefix, done);
      case Commit.Conflict conflict -> throw session.conflict(conflict);
    }
  }

  /** A record and the chunk that it adds. */
  private record Stored(
      LedgerRecord record, @Nullable Binary chunk, Optional<String> base, int kept) {}

  /**
   * What is stored for a request.
   *
   * @param whole whether all blocks are stored anew
   */
  private Stored stored(Draft draft, @Nullable LedgerRecord last, Instant now, boolean whole) {
    ProviderRequest request = draft.request;
    boolean anew = whole || last == null || last.chunks().size() >= MAX_CHUNKS;
    int kept = last == null ? 0 : Math.min(request.shared(), last.view(now).stable());
    GrowingList<LedgerBlock> blocks =
        last == null ? GrowingList.empty() : last.blocks().first(kept);
    for (int i = kept; i < request.blocks().size(); i++) {
      blocks = blocks.append(draft.facts.describe(request, i));
    }
    int from = anew ? 0 : kept;
    List<LedgerRecord.ChunkRef> chunks =
        anew || last == null ? new ArrayList<>() : first(last.chunks(), kept);
    Binary chunk = null;
    if (from < blocks.size()) {
      chunk = LedgerChunk.of(request, blocks, from).write();
      chunks.add(new LedgerRecord.ChunkRef(chunk.sha256(), blocks.size() - from));
    }
    LedgerRecord record =
        new LedgerRecord(
            draft.id,
            now,
            draft.epoch,
            session.current().version(),
            blocks,
            List.copyOf(chunks),
            marked(request),
            life(draft.target.profile(), request),
            added(blocks, kept),
            LedgerRecord.leftOut(request.repairs()));
    return new Stored(record, chunk, Optional.ofNullable(last).map(LedgerRecord::id), kept);
  }

  private static long added(List<LedgerBlock> blocks, int kept) {
    return blocks.subList(kept, blocks.size()).stream().mapToLong(LedgerBlock::tokens).sum();
  }

  private static List<LedgerRecord.ChunkRef> first(List<LedgerRecord.ChunkRef> chunks, int blocks) {
    List<LedgerRecord.ChunkRef> first = new ArrayList<>();
    int left = blocks;
    for (LedgerRecord.ChunkRef chunk : chunks) {
      if (left > 0) {
        first.add(new LedgerRecord.ChunkRef(chunk.sha256(), Math.min(left, chunk.blocks())));
      }
      left -= chunk.blocks();
    }
    return first;
  }

  private static List<Integer> marked(ProviderRequest request) {
    List<Integer> marked = new ArrayList<>();
    for (int i = 0; i < request.blocks().size(); i++) {
      if (request.blocks().get(i).mark().isPresent()) {
        marked.add(i);
      }
    }
    return marked;
  }

  /** How long the caches of a request live: as its last mark asks, or as the model's caches do. */
  private static Duration life(ModelProfile profile, ProviderRequest request) {
    Optional<String> ttl =
        request.blocks().reversed().stream().flatMap(block -> block.mark().stream()).findFirst();
    if (ttl.isPresent()) {
      String text = ttl.get();
      long amount = Long.parseLong(text.substring(0, text.length() - 1));
      return text.endsWith("h") ? Duration.ofHours(amount) : Duration.ofMinutes(amount);
    }
    int idle = profile.cache().idleSeconds();
    return idle == 0 ? SHORT : Duration.ofSeconds(idle);
  }

  private Commit write(Draft draft, Stored stored, Prefix prefix, @Nullable Divergence divergence) {
    LedgerRecord record = stored.record;
    if (stored.chunk != null) {
      session.services().store().putBinary(session.scope().owner().scope(), stored.chunk);
    }
    ProviderRequest request = draft.request;
    JsonObject.Builder ledger =
        JsonObject.builder()
            .put("epoch", record.epoch())
            .put("version", record.version())
            .put("prefix", prefix.wireName())
            .put("chunks", LedgerRecord.write(record.chunks()))
            .put("body", SentBody.of(request).write())
            .put("life_seconds", record.life().toSeconds())
            .put("revision", session.services().providers().revision())
            .put(
                "token_ratio",
                new JsonNumber(draft.target.profile().tokenizer().ratio().toPlainString()));
    stored.base.ifPresent(
        base ->
            ledger.put(
                "base",
                JsonObject.builder().put("request_id", base).put("blocks", stored.kept).build()));
    if (divergence != null) {
      ledger.put("divergence", divergence.write());
    }
    JsonObject row =
        draft
            .record
            .put("prefix", prefix.wireName())
            .put("blocks", record.blocks().size())
            .put("marks", JsonArray.ofStrings(request.marks().stream().map(Mark::pointer).toList()))
            .put("predicted", predicted(draft, record))
            .put("ledger", ledger.build())
            .build();
    WriteSet.Builder set =
        WriteSet.of(session.scope(), record.at())
            .add(
                new Row.PutRequest(
                    new RequestRow(draft.id, draft.turn, record.at(), row, record.binaries())));
    Set<String> old = outlived(record.at());
    if (!old.isEmpty()) {
      set.add(new Row.DropRequests(old));
    }
    Commit commit = session.commit(set.build(), before -> before);
    if (commit instanceof Commit.Committed) {
      LedgerRecord before = lastByModel.put(key(draft.target, draft.agent), record);
      if (before != null) {
        growth.add(record.newerThan(before));
      }
    }
    return commit;
  }

  /** What the cache will make of it, if it works as it says (P-37). */
  private JsonObject predicted(Draft draft, LedgerRecord record) {
    CacheUseEstimate use =
        CacheUseEstimate.of(
            draft.target.profile().cache(),
            last(draft.target, draft.agent),
            draft.request.shared(),
            record);
    return JsonObject.builder()
        .put("read", use.read())
        .put("write", use.write())
        .put("uncached", use.uncached())
        .build();
  }

  /** Records beyond what is kept, looked for now and then (P-55). */
  private Set<String> outlived(Instant now) {
    if (++sincePruned < PRUNE_EVERY) {
      return Set.of();
    }
    sincePruned = 0;
    LedgerSettings settings = session.services().ledger();
    Set<String> old = new HashSet<>();
    int count = 1; // the one that is being written
    String cursor = null;
    List<RequestRow> page = log.list(null, RECENT);
    while (!page.isEmpty()) {
      for (RequestRow row : page) {
        boolean expired = row.at().plus(settings.retention()).isBefore(now);
        if (++count > settings.records() || expired) {
          old.add(row.id());
        }
        cursor = row.id();
      }
      page = log.list(cursor, RECENT);
    }
    return old;
  }

  private void publish(Draft draft, Prefix prefix, Commit.Committed done) {
    JsonObject note =
        JsonObject.builder()
            .put("type", "request")
            .put("request_id", draft.id)
            .put("turn_id", draft.turn.value())
            .put("model", draft.target.model().model())
            .put("prefix", prefix.wireName())
            .build();
    session.publish(note, done);
  }

  private static ContextureException broken(String id, Divergence divergence) {
    return new ContextureException(
        ErrorCode.PREFIX_BROKEN,
        "request "
            + id
            + " changes block "
            + divergence.block()
            + " ("
            + divergence.path()
            + ") of what "
            + divergence.previous()
            + " sent, by "
            + divergence.cause().actor()
            + ": "
            + divergence.cause().operation()
            + "; "
            + divergence.advice(),
        Map.of("divergence", divergence.write().toJson()),
        null);
  }

  static boolean isSameSeries(RequestRow one, RequestRow other) {
    return key(one).equals(key(other));
  }

  /** Agents of one conversation are told different things, so that each has its own series. */
  private static String key(Providers.Target target, @Nullable String agent) {
    return String.join(
        " ", target.format().name(), target.model().model(), agent == null ? "" : agent);
  }

  private static String key(RequestRow row) {
    JsonObject record = row.record();
    return String.join(
        " ",
        record.string("format").orElse(""),
        record.string("model").orElse(""),
        record.string("agent").orElse(""));
  }
}

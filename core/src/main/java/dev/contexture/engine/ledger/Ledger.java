package dev.contexture.engine.ledger;

import dev.contexture.block.Binary;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.RequestRate;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.Divergence;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.LedgerView;
import dev.contexture.request.Mark;
import dev.contexture.request.Prefix;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.GrowingList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The record of everything that a conversation sent: each request is kept before it leaves, as what
 * it adds to the one before, and is compared with that one. Inside the session's lock.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Ledger {
  private static final int RECENT = 64;
  private static final int MAX_CHUNKS = 16; // beyond, all blocks are stored again, as one
  private static final int MAX_ATTEMPTS = 3;

  private final Session session;
  private final RequestLog log;
  private final Retention retention;
  private final Map<String, LedgerRecord> lastByModel = new HashMap<>();
  private final Set<String> erased = new HashSet<>(); // series whose last request is not kept
  private final RequestRate pace = new RequestRate();
  private final Growth growth = new Growth();
  private boolean loaded;

  /** What a conversation sent, while it is loaded. */
  public static Ledger of(Session session) {
    return session.kept(Ledger.class, Ledger::new);
  }

  private Ledger(Session session) {
    this.session = session;
    this.log = new RequestLog(session);
    this.retention = new Retention(log);
  }

  /**
   * A request that is about to be sent.
   *
   * @param facts what else is recorded about it
   * @param epoch the span in which nothing that was sent may change
   * @param memory ids of the memory blocks that it shows
   * @param version of the conversation that it was made from
   * @param contents what it shows and leaves out
   * @param boundTail texts at its end that stay if the answer is bound to them
   * @param effects what else is written with it
   */
  public record Draft(
      String id,
      Providers.Target target,
      ProviderRequest request,
      BlockAttribution facts,
      JsonObject record,
      String epoch,
      LedgerSettings.Mode mode,
      TurnId turn,
      @Nullable String agent,
      Set<String> memory,
      long version,
      RequestContents contents,
      List<String> boundTail,
      RequestEffects effects) {}

  /** The findings when a request was entered. */
  public record Entered(Prefix prefix, @Nullable Divergence divergence) {}

  /** The agent's last request to the model; none if there is none or it is not known any more. */
  public LedgerView last(Providers.Target target, @Nullable String agent) {
    LedgerRecord record = lastRecord(target, agent).orElse(null);
    return record == null ? LedgerView.NONE : record.view(session.services().now());
  }

  /** How long the caches live that the agent's last request to the model wrote. */
  public Optional<Duration> cacheLife(Providers.Target target, @Nullable String agent) {
    return lastRecord(target, agent).map(LedgerRecord::life);
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
        log.recordIfKept(row)
            .ifPresentOrElse(
                record -> lastByModel.put(key(row), record), () -> erased.add(key(row)));
      }
    }
  }

  /**
   * The lives that suit the pace of the conversation and of its agent, and no new cache where the
   * next request will start again.
   *
   * @param room tokens that may come until a compaction; negative: there is no limit
   */
  public CachePolicy policy(
      CachePolicy asked, Providers.Target target, @Nullable String agent, long room) {
    LedgerRecord last = lastRecord(target, agent).orElse(null);
    CachePolicy wanted =
        asked.intent() == CachePolicy.Intent.LOOP
                && !growth.isWorthCaching(room, target.profile().cache().multipliers())
            ? asked.withIntent(CachePolicy.Intent.LAST)
            : asked;
    CacheRules rules = target.profile().cache();
    if (rules.mode() != CacheRules.Mode.EXPLICIT || last == null || !rules.ttl().contains("1h")) {
      return wanted;
    }
    RequestRate ofAgent =
        agent == null ? pace : session.services().paces().of(session.scope(), agent);
    return wanted.withLives(
        CacheLife.suiting(ofAgent.gap(), last, rules), CacheLife.suiting(pace.gap(), last, rules));
  }

  /** The most that the next request may add, by the last ones; 0: not known. */
  public long expectedGrowth() {
    return growth.expected();
  }

  /**
   * Compares a request with the last one and keeps it.
   *
   * @return empty if something that the request holds was erased meanwhile, or what it rests on
   *     changed; nothing was kept
   * @throws ContextureException {@code prefix_broken} in strict mode, and nothing was kept
   */
  public Optional<Entered> enter(Draft draft) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      LedgerRecord last = lastRecord(draft.target, draft.agent).orElse(null);
      Attempt made = tryToEnter(draft, last);
      if (made.entered != null) {
        return Optional.of(made.entered);
      }
      switch (made.conflict()) {
        case Reason.MemoryErased erased
            when !Collections.disjoint(erased.blocks(), draft.memory) -> {
          return Optional.empty();
        }
        case Reason.RangeChanged _unused -> {
          return Optional.empty();
        }
        case Reason.VersionDiffers _unused -> {
          return Optional.empty(); // the epoch or the turn may be another one by now
        }
        case Reason.MemoryErased _unused -> forget(draft, last); // the one before held it
        case Reason.BinariesMissing _unused -> forget(draft, last);
        default -> throw session.conflict(Objects.requireNonNull(made.refused));
      }
    }
    return Optional.empty();
  }

  /** What the last request sent is not kept any more. */
  private void forget(Draft draft, @Nullable LedgerRecord last) {
    if (last != null) {
      lastByModel.put(key(draft.target, draft.agent), last.forgotten());
    }
  }

  /** The result of entering a request: what was entered, or the conflict. */
  private record Attempt(@Nullable Entered entered, Commit.@Nullable Conflict refused) {
    Reason conflict() {
      return Objects.requireNonNull(refused).reason();
    }
  }

  private Attempt tryToEnter(Draft draft, @Nullable LedgerRecord last) {
    Instant now = session.services().now();
    Prefix prefix = prefix(draft, last);
    Divergence divergence = null;
    if (prefix instanceof Prefix.Diverges diverges && last != null) {
      divergence = new DivergenceReport(session, log, draft, last).of(diverges.block(), now);
      if (draft.mode == LedgerSettings.Mode.STRICT) {
        throw DivergenceReport.refusal(draft.id, divergence);
      }
    }
    Stored stored = stored(draft, last, now, divergence != null);
    int same =
        prefix instanceof Prefix.Diverges first
            ? Math.min(first.block(), stored.kept)
            : stored.kept;
    RequestCost.Rewrite rewrite =
        last == null || prefix instanceof Prefix.Extends
            ? new RequestCost.Rewrite(0, 0)
            : new DivergenceReport(session, log, draft, last).rewrite(same, now);
    Commit commit = write(draft, stored, prefix, divergence, rewrite);
    if (commit instanceof Commit.Conflict conflict) {
      return new Attempt(null, conflict);
    }
    publish(draft, prefix, (Commit.Committed) commit);
    pace.started(now);
    if (draft.agent != null) {
      session.services().paces().of(session.scope(), draft.agent).started(now);
    }
    return new Attempt(new Entered(prefix, divergence), null);
  }

  private Prefix prefix(Draft draft, @Nullable LedgerRecord last) {
    if (last == null) {
      return new Prefix.Rebased(whyNone(key(draft.target, draft.agent)));
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
    return Prefix.of(view, last.readable(request), request.blocks().size(), bound);
  }

  private Prefix.Rebased.Reason whyNone(String series) {
    if (erased.contains(series)) {
      return Prefix.Rebased.Reason.ERASED;
    }
    boolean other = !lastByModel.isEmpty() || !erased.isEmpty();
    return other ? Prefix.Rebased.Reason.MODEL : Prefix.Rebased.Reason.FIRST;
  }

  /** Whether what its maker alone can read is bound to everything before it. */
  public static boolean preserves(ModelProfile profile) {
    return profile.has(ModelFlag.PRESERVED_THINKING) || profile.has(ModelFlag.PRESERVED_REASONING);
  }

  /** A record and the chunk that it adds. */
  private record Stored(
      LedgerRecord record, @Nullable Binary chunk, Optional<String> base, int kept) {}

  /**
   * What is stored for a request. It holds the memory that it shows, and what the last one held
   * where it shares chunks with it or quotes it.
   *
   * @param quotes whether the record says what the last one sent
   */
  private Stored stored(Draft draft, @Nullable LedgerRecord last, Instant now, boolean quotes) {
    ProviderRequest request = draft.request;
    boolean anew = last == null || last.chunks().isEmpty() || last.chunks().size() >= MAX_CHUNKS;
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
            session.current().version() + draft.effects.raised(),
            blocks,
            List.copyOf(chunks),
            marked(request),
            CacheLife.of(draft.target.profile(), request),
            added(blocks, kept),
            LedgerRecord.leftOut(request.repairs()),
            memory(draft, last, quotes || !anew),
            request.settings());
    return new Stored(record, chunk, Optional.ofNullable(last).map(LedgerRecord::id), kept);
  }

  private static Set<String> memory(Draft draft, @Nullable LedgerRecord last, boolean builtOn) {
    Set<String> memory = new HashSet<>(draft.memory);
    if (last != null && builtOn) {
      memory.addAll(last.memory());
    }
    return Set.copyOf(memory);
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

  private Commit write(
      Draft draft,
      Stored stored,
      Prefix prefix,
      @Nullable Divergence divergence,
      RequestCost.Rewrite rewrite) {
    LedgerRecord record = stored.record;
    RequestCost prices = RequestCost.of(draft.target.profile(), record.at());
    JsonObject rewritten =
        rewrite.kept() == 0
            ? JsonObject.EMPTY
            : JsonObject.of("rewritten", prices.rewritten(rewrite, record.tokens(0)));
    ProviderRequest request = draft.request;
    JsonObject row =
        JsonObject.builder()
            .putAll(draft.record)
            .put("prefix", prefix.wireName())
            .putIfPresent("rebased_by", prefix.rebasedBy().orElse(null))
            .put("epoch", record.epoch())
            .put("blocks", record.blocks().size())
            .put("marks", JsonArray.ofStrings(request.marks().stream().map(Mark::pointer).toList()))
            .put("predicted", prices.predicted(predicted(draft, record)))
            .putAll(rewritten)
            .putAll(prices.units())
            .put("catalogue_revision", session.services().providers().revision())
            .put(
                "token_ratio",
                new JsonNumber(draft.target.profile().tokenizer().ratio().toPlainString()))
            .build();
    WriteSet.Builder set =
        WriteSet.of(session.scope(), record.at())
            .expect(Precondition.open(draft.turn))
            .expect(Precondition.nothingErasedSince(draft.version))
            .add(
                new Row.PutRequest(
                    new RequestRow(
                        draft.id,
                        draft.turn,
                        record.at(),
                        row,
                        record.binaries(),
                        sent(draft, stored, divergence),
                        record.memory()),
                    stored.chunk == null ? List.of() : List.of(stored.chunk)));
    draft.effects.addTo(set);
    Set<String> old = retention.outlived(session.services().ledger(), record.at());
    if (!old.isEmpty()) {
      set.add(new Row.DropRequests(old));
    }
    Commit commit = session.commit(set.build(), draft.effects::applied);
    if (commit instanceof Commit.Committed) {
      LedgerRecord before = lastByModel.put(key(draft.target, draft.agent), record);
      if (before != null) {
        growth.add(record.newerThan(before));
      }
    }
    return commit;
  }

  /** What gives the body again and what is compared later. */
  private static JsonObject sent(Draft draft, Stored stored, @Nullable Divergence divergence) {
    LedgerRecord record = stored.record;
    JsonObject.Builder sent =
        JsonObject.builder()
            .put("epoch", record.epoch())
            .put("version", record.version())
            .put("chunks", LedgerRecord.write(record.chunks()))
            .put("body", SentBody.of(draft.request).write())
            .put("life_seconds", record.life().toSeconds())
            .put(LedgerRecord.CONTENTS, draft.contents.write());
    stored.base.ifPresent(
        base ->
            sent.put(
                "base",
                JsonObject.builder().put("request_id", base).put("blocks", stored.kept).build()));
    if (divergence != null) {
      sent.put("divergence", divergence.write());
    }
    if (!draft.boundTail.isEmpty()) {
      sent.put(LedgerRecord.TAIL, JsonArray.ofStrings(draft.boundTail));
      sent.put(LedgerRecord.TAIL_MEMORY, JsonArray.ofStrings(List.copyOf(draft.memory)));
    }
    return sent.build();
  }

  /** What the cache will make of it, if it works as it says. */
  private CacheUseEstimate predicted(Draft draft, LedgerRecord record) {
    return CacheUseEstimate.of(
        draft.target.profile().cache(),
        last(draft.target, draft.agent),
        lastRecord(draft.target, draft.agent)
            .map(last -> last.readable(draft.request))
            .orElse(draft.request.shared()),
        record);
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

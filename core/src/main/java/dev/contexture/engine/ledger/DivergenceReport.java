package dev.contexture.engine.ledger;

import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelProfile;
import dev.contexture.request.Divergence;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.store.ChangeRecord;
import dev.contexture.timeline.Visibility;
import dev.contexture.timeline.VisibilityRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Explains why a request does not repeat what was sent before. Inside the lock. */
record DivergenceReport(Session session, RequestLog log, Ledger.Draft draft, LedgerRecord last) {
  private static final int AROUND = 20;
  private static final int MAX_CHANGES = 1_000;

  Divergence of(int index, Instant now) {
    ProviderRequest request = draft.request();
    LedgerRecord.SettingChange change = last.changed(request.settings()).orElse(null);
    if (change != null && index < request.shared()) {
      return ofSetting(change, index, now);
    }
    LedgerBlock was = last.blocks().get(index);
    String before = log.content(last, index);
    String after = index < request.blocks().size() ? request.text(index) : "";
    int offset = firstDifference(before, after);
    Price price = price(index, now);
    return new Divergence(
        last.id(),
        index,
        was.tier(),
        was.kind(),
        was.origin().path(),
        around(before, offset),
        around(after, offset),
        offset,
        cause(was, index, now),
        price.kept,
        price.edit.extra(),
        thinking(index),
        advice(price.edit),
        money(price, now));
  }

  private @Nullable Double money(Price price, Instant now) {
    return RequestCost.of(draft.target().profile(), now).money(price.edit.extra(), inputTokens());
  }

  private long inputTokens() {
    long tokens = 0;
    for (int i = 0; i < draft.request().blocks().size(); i++) {
      tokens += draft.facts().describe(draft.request(), i).tokens();
    }
    return tokens;
  }

  /**
   * What the request writes to the cache again, because it changes what stands before it; nothing
   * where the cache is gone anyway.
   *
   * @param index the first block that differs
   */
  RequestCost.Rewrite rewrite(int index, Instant now) {
    if (!last.view(now).live()) {
      return new RequestCost.Rewrite(0, 0);
    }
    Price price = price(index, now);
    return new RequestCost.Rewrite(price.kept, price.kept == 0 ? 0 : price.inserted);
  }

  /** The blocks are the same, but what their caches depend on is not. */
  private Divergence ofSetting(LedgerRecord.SettingChange change, int index, Instant now) {
    String before = change.was().value();
    String after = change.now().value();
    int offset = firstDifference(before, after);
    Price price = price(index, now);
    return new Divergence(
        last.id(),
        index,
        last.blocks().get(index).tier(),
        "setting",
        change.now().name(),
        around(before, offset),
        around(after, offset),
        offset,
        new Divergence.Cause("host", change.now().name() + "-changed", now),
        price.kept,
        price.edit.extra(),
        List.of(),
        "caches depend on " + change.now().name() + ": keep it within a conversation",
        money(price, now));
  }

  private static int firstDifference(String one, String other) {
    int same = 0;
    int most = Math.min(one.length(), other.length());
    while (same < most && one.charAt(same) == other.charAt(same)) {
      same++;
    }
    return same;
  }

  private static String around(String text, int offset) {
    int from = Math.max(0, Math.min(offset, text.length()) - AROUND);
    return text.substring(from, Math.min(text.length(), offset + AROUND));
  }

  /**
   * The cost of a divergence.
   *
   * @param kept tokens that are sent again but have to be written again, too
   * @param inserted tokens in place of those that went
   */
  private record Price(EditPrice edit, long kept, long inserted) {}

  private Price price(int index, Instant now) {
    Set<Fingerprint> sent = new HashSet<>();
    draft.request().blocks().stream().skip(index).forEach(block -> sent.add(block.fingerprint()));
    Set<Fingerprint> known = new HashSet<>();
    long removed = 0;
    long kept = 0;
    int stable = last.view(now).stable();
    for (LedgerBlock block : last.blocks().subList(Math.min(index, stable), stable)) {
      known.add(block.fingerprint());
      if (sent.contains(block.fingerprint())) {
        kept += block.tokens();
      } else {
        removed += block.tokens();
      }
    }
    long inserted = 0;
    for (int i = index; i < draft.request().blocks().size() && !known.isEmpty(); i++) {
      RequestBlock block = draft.request().blocks().get(i);
      if (known.contains(block.fingerprint())) {
        break; // what follows is the kept tail, and then what is new anyway
      }
      inserted += draft.facts().describe(draft.request(), i).tokens();
    }
    CacheRules.Multipliers prices = draft.target().profile().cache().multipliers();
    boolean warm = last.view(now).live();
    return new Price(EditPrice.of(prices, removed, inserted, kept, warm), kept, inserted);
  }

  private static String advice(EditPrice price) {
    if (price.extra() <= 0) {
      return "the edit costs nothing now";
    }
    double calls = price.breakEvenCalls();
    return Double.isInfinite(calls)
        ? "the edit never pays: append what changed, or wait for the next epoch"
        : String.format(
            Locale.ROOT,
            "the edit pays after %.0f more calls: with fewer, append what changed instead",
            Math.ceil(calls));
  }

  private List<Integer> thinking(int index) {
    ModelProfile profile = draft.target().profile();
    List<Integer> lost = new ArrayList<>();
    List<RequestBlock> blocks = draft.request().blocks();
    for (int i = index; i < blocks.size() && Ledger.preserves(profile); i++) {
      if (blocks.get(i).opaque()) {
        lost.add(i);
      }
    }
    return lost;
  }

  private Divergence.Cause cause(LedgerBlock was, int index, Instant now) {
    if (was.tier() != RequestBlock.Tier.MESSAGES) {
      return new Divergence.Cause("host", was.tier().wireName() + "-changed", now);
    }
    Set<String> paths = new HashSet<>(Set.of(was.origin().path()));
    Set<Long> seqs = new HashSet<>(Set.of(was.origin().seq()));
    if (index < draft.request().blocks().size()) {
      LedgerBlock is = draft.facts().describe(draft.request(), index);
      paths.add(is.origin().path());
      seqs.add(is.origin().seq());
    }
    return newest(change -> touching(change, paths, seqs)).orElse(Divergence.Cause.UNKNOWN);
  }

  /** What the newest change since the last request says that says anything. */
  private <T> Optional<T> newest(Function<ChangeRecord, Optional<T>> asked) {
    long to = session.current().version();
    while (to > last.version()) {
      long from = Math.max(last.version(), to - MAX_CHANGES); // a version has one record at most
      List<ChangeRecord> page =
          session.services().store().changes(session.scope(), from, MAX_CHANGES);
      for (ChangeRecord change : page.reversed()) {
        Optional<T> found = change.version() <= to ? asked.apply(change) : Optional.empty();
        if (found.isPresent()) {
          return found;
        }
      }
      to = from;
    }
    return Optional.empty();
  }

  private Optional<Divergence.Cause> touching(
      ChangeRecord change, Set<String> paths, Set<Long> seqs) {
    if (change.note() == null) {
      return Optional.empty();
    }
    String type = change.note().string("type").orElse("");
    String operation = change.note().string("operation").orElse(type);
    boolean visibility = type.equals("visibility");
    boolean named = change.note().string("path").filter(paths::contains).isPresent();
    boolean turn =
        !type.equals("block")
            && change
                .note()
                .string("turn_id")
                .filter(id -> paths.stream().anyMatch(path -> path.contains(id)))
                .isPresent();
    boolean appended =
        change.lastSeq() > 0
            && seqs.stream().anyMatch(seq -> seq >= change.firstSeq() && seq <= change.lastSeq());
    if (!(named || turn || appended || (visibility && !change.note().has("path")))) {
      return Optional.empty();
    }
    String actor = visibility ? decidedBy(seqs, operation) : "host";
    return Optional.of(new Divergence.Cause(actor, operation, change.at()));
  }

  /** Who decided how a block is shown. */
  private String decidedBy(Set<Long> seqs, String operation) {
    VisibilityRecords records = session.current().timeline().visibilityRecords();
    return session.current().timeline().entries().stream()
        .filter(entry -> seqs.contains(entry.seq().orElse(0)))
        .flatMap(entry -> records.of(entry.seq().orElse(0)).stream())
        .map(Visibility::reason)
        .map(Visibility.Reason::wireName)
        .findFirst()
        .orElse(operation);
  }

  /** What is thrown where nothing that was sent may change. */
  static ContextureException refusal(String id, Divergence divergence) {
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
}

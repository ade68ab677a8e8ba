package dev.contexture.engine.ledger;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.Repair;
import dev.contexture.request.CacheSetting;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerView;
import dev.contexture.request.ProviderRequest;
import dev.contexture.store.RequestRow;
import dev.contexture.timeline.GrowingList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A request that was recorded, with its blocks. Immutable.
 *
 * @param id its key in the conversation
 * @param at when it was made
 * @param epoch the span in which nothing that was sent may change
 * @param version of the conversation when it was made
 * @param blocks what it held
 * @param chunks where its blocks are stored, in order
 * @param marks the indices of its marked blocks
 * @param life how long the caches that it wrote live
 * @param added tokens that it had and the one before it had not
 * @param leftOut thinking that was not sent any more, by its hash
 * @param memory ids of the memory blocks that its chunks hold
 * @param settings parameters that caches depend on; null: not known, it is older
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LedgerRecord(
    String id,
    Instant at,
    String epoch,
    long version,
    GrowingList<LedgerBlock> blocks,
    List<ChunkRef> chunks,
    List<Integer> marks,
    Duration life,
    long added,
    Set<String> leftOut,
    Set<String> memory,
    @Nullable List<CacheSetting> settings) {
  /** The member of a record that holds the parameters that caches depend on. */
  public static final String CACHE_SETTINGS = "cache_settings";

  private static final String REPAIRS = "repairs";
  static final String TAIL = "bound_tail";
  static final String CONTENTS = "contents";

  /** The member of what was sent that names the memory of which those texts tell. */
  static final String TAIL_MEMORY = "tail_memory";

  private static final String HASH_BEFORE = "hash_before";
  private static final Set<String> FIELDS =
      Set.of(
          "epoch",
          "version",
          "base",
          "chunks",
          "body",
          "life_seconds",
          "divergence",
          CONTENTS,
          TAIL,
          TAIL_MEMORY);

  /**
   * A stored chunk.
   *
   * @param sha256 its address
   * @param blocks how many of its blocks are used
   */
  record ChunkRef(String sha256, int blocks) {}

  /** The same, whose content is not kept any more: it can be compared with, not built on. */
  LedgerRecord forgotten() {
    return new LedgerRecord(
        id, at, epoch, version, blocks, List.of(), marks, life, added, leftOut, Set.of(), settings);
  }

  /** What the next request is compared with. */
  LedgerView view(Instant now) {
    return new LedgerView(blocks, marks, now.isBefore(at.plus(life)), leftOut);
  }

  /**
   * The first parameter that caches depend on and that is another one now: of those, the one on
   * which most depends.
   */
  Optional<SettingChange> changed(List<CacheSetting> now) {
    List<CacheSetting> before = settings;
    if (before == null) {
      return Optional.empty();
    }
    Map<String, CacheSetting> were = new LinkedHashMap<>();
    before.forEach(setting -> were.put(setting.name(), setting));
    SettingChange first = null;
    for (CacheSetting setting : now) {
      CacheSetting was = were.get(setting.name());
      if (was != null
          && !was.value().equals(setting.value())
          && (first == null || setting.tier().compareTo(first.now.tier()) < 0)) {
        first = new SettingChange(was, setting);
      }
    }
    return Optional.ofNullable(first);
  }

  /** How many blocks at the beginning of a request are the same, and their caches as well. */
  int readable(ProviderRequest next) {
    return changed(next.settings())
        .map(change -> Math.min(next.shared(), change.block(blocks)))
        .orElse(next.shared());
  }

  /** A parameter before and now. */
  record SettingChange(CacheSetting was, CacheSetting now) {
    /** The first block whose cache depends on it. */
    int block(List<LedgerBlock> blocks) {
      int at = 0;
      while (at < blocks.size() && blocks.get(at).tier().compareTo(now.tier()) < 0) {
        at++;
      }
      return at;
    }
  }

  long tokens(int from) {
    long tokens = 0;
    for (int i = from; i < blocks.size(); i++) {
      tokens += blocks.get(i).tokens();
    }
    return tokens;
  }

  /** Tokens of blocks that the conversation did not have when another request was made. */
  long newerThan(LedgerRecord before) {
    long newest = before.blocks.stream().mapToLong(block -> block.origin().seq()).max().orElse(0);
    return blocks.stream()
        .filter(block -> block.origin().seq() > newest)
        .mapToLong(LedgerBlock::tokens)
        .sum();
  }

  Set<String> binaries() {
    return chunks.stream().map(ChunkRef::sha256).collect(Collectors.toSet());
  }

  static JsonArray write(List<ChunkRef> chunks) {
    List<JsonValue> written = new ArrayList<>();
    chunks.forEach(
        chunk ->
            written.add(
                JsonObject.builder()
                    .put("sha256", chunk.sha256)
                    .put("blocks", chunk.blocks)
                    .build()));
    return new JsonArray(written);
  }

  public static JsonArray writeRepairs(List<Repair> repairs) {
    List<JsonValue> written = new ArrayList<>();
    for (Repair repair : repairs) {
      written.add(
          JsonObject.builder()
              .put("code", repair.code())
              .put("where", repair.pointer())
              .put("reason", repair.reason())
              .putIfPresent(HASH_BEFORE, repair.hashBefore())
              .build());
    }
    return new JsonArray(written);
  }

  static Set<String> leftOut(List<Repair> repairs) {
    return repairs.stream()
        .flatMap(repair -> repair.leftOut().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Texts behind the conversation that stay if the answer is bound to them. */
  public static List<String> tail(RequestRow row) {
    return row.sent().array(TAIL).map(JsonArray::items).orElse(List.of()).stream()
        .map(text -> ((JsonString) text).value())
        .toList();
  }

  /** Ids of the memory blocks that those texts tell of. */
  public static Set<String> tailMemory(RequestRow row) {
    return row.sent().array(TAIL_MEMORY).map(JsonArray::items).orElse(List.of()).stream()
        .map(id -> ((JsonString) id).value())
        .collect(Collectors.toSet());
  }

  private static Set<String> leftOut(RequestRow row) {
    return row.record().array(REPAIRS).map(JsonArray::items).orElse(List.of()).stream()
        .flatMap(json -> ((JsonObject) json).string(HASH_BEFORE).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** What a row says about what was sent; empty if that is not kept. */
  static Optional<JsonFields> fields(RequestRow row) {
    return row.sent().isEmpty() ? Optional.empty() : Optional.of(JsonFields.of(row.sent(), FIELDS));
  }

  /** What it showed and left out; empty if that was not recorded. */
  static Optional<RequestContents> contents(RequestRow row) {
    return row.sent().object(CONTENTS).map(RequestContents::read);
  }

  static List<ChunkRef> chunks(JsonFields ledger) {
    List<ChunkRef> chunks = new ArrayList<>();
    for (JsonObject json : ledger.objects("chunks")) {
      JsonFields chunk = JsonFields.of(json, Set.of("sha256", "blocks"));
      chunks.add(
          new ChunkRef(chunk.requiredString("sha256"), (int) chunk.number("blocks").orElse(0)));
    }
    return chunks;
  }

  static SentBody body(JsonFields ledger) {
    return SentBody.read(ledger.object("body").orElse(JsonObject.EMPTY));
  }

  /** A record that was read. */
  static LedgerRecord of(RequestRow row, JsonFields ledger, List<LedgerChunk> stored) {
    GrowingList<LedgerBlock> blocks = GrowingList.empty();
    for (LedgerChunk chunk : stored) {
      for (LedgerBlock block : chunk.blocks()) {
        blocks = blocks.append(block);
      }
    }
    return new LedgerRecord(
        row.id(),
        row.at(),
        ledger.string("epoch").orElse(""),
        ledger.number("version").orElse(0),
        blocks,
        chunks(ledger),
        List.copyOf(body(ledger).marks().keySet()),
        Duration.ofSeconds(ledger.number("life_seconds").orElse(0)),
        stored.isEmpty()
            ? 0
            : stored.getLast().blocks().stream().mapToLong(LedgerBlock::tokens).sum(),
        leftOut(row),
        row.memory(),
        row.record().array(CACHE_SETTINGS).map(CacheSetting::read).orElse(null));
  }
}

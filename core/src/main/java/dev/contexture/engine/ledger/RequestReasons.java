package dev.contexture.engine.ledger;

import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.prompt.Omission;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.RequestBlock;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tells of a recorded request why each of its parts is there, and of a path why it is there or why
 * not. It answers from what was recorded with the request, so that later changes do not alter the
 * answer. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public final class RequestReasons {
  private static final int EXCERPT = 300; // characters of a part

  private final Session session;
  private final RequestLog log;
  private final RequestRow row;
  private final LedgerRecord record;
  private final @Nullable RequestContents contents;
  private final @Nullable Summary summary;

  RequestReasons(Session session, RequestLog log, RequestRow row, LedgerRecord record) {
    this.session = session;
    this.log = log;
    this.row = row;
    this.record = record;
    this.contents = LedgerRecord.contents(row).orElse(null);
    String id = contents == null ? null : contents.summary();
    this.summary = id == null ? null : store().summary(session.scope(), id).orElse(null);
  }

  /** Every part with its reason, and what is left out or shortened. */
  public JsonObject write() {
    List<JsonValue> parts = new ArrayList<>();
    PartReasons reasons = parts();
    for (int i = 0; i < record.blocks().size(); i++) {
      parts.add(part(reasons, i));
    }
    JsonObject.Builder json =
        JsonObject.builder()
            .put("request_id", row.id())
            .put("recorded", contents != null)
            .put("parts", new JsonArray(parts));
    if (contents != null) {
      json.put("limits", contents.limits())
          .put("memory", JsonArray.ofStrings(contents.memory()))
          .put("dropped", RequestContents.omissions(contents.dropped()))
          .put("truncated", RequestContents.omissions(contents.truncated()));
    }
    return json.build();
  }

  private PartReasons parts() {
    TurnId turn = row.turn();
    long from =
        turn == null ? 0 : store().turn(session.scope(), turn).map(StoredTurn::firstSeq).orElse(0L);
    JsonObject sections = row.record().object("sections").orElse(JsonObject.EMPTY);
    return new PartReasons(record, contents, summary, sections, from);
  }

  private JsonObject part(PartReasons reasons, int index) {
    LedgerBlock block = record.blocks().get(index);
    PartReasons.Reason reason = reasons.of(index);
    String text = log.content(record, index);
    JsonObject.Builder json =
        JsonObject.builder()
            .put("index", index)
            .put("tier", block.tier().wireName())
            .put("kind", block.kind())
            .put("role", block.role())
            .put("tokens", block.tokens())
            .put("path", block.origin().path())
            .put("seq", block.origin().seq())
            .put("actor", block.origin().actor())
            .put("reason", reason.code())
            .put("detail", reason.detail() + shortened(block))
            .put("excerpt", text.substring(0, text.offsetByCodePoints(0, shown(text))));
    if (record.marks().contains(index)) {
      json.put("mark", true);
    }
    return json.build();
  }

  private String shortened(LedgerBlock block) {
    return contents == null
        ? ""
        : named(contents.truncated(), block.origin().path())
            .map(omission -> "; " + omission.reason().wireName() + ", " + omission.detail())
            .orElse("");
  }

  private static int shown(String text) {
    return Math.min(EXCERPT, text.codePointCount(0, text.length()));
  }

  /**
   * Why a path, or what else has a name (a memory block, a turn, a tool), is shown or not.
   *
   * @param path of a block of the conversation, or the name
   */
  public JsonObject why(String path) {
    PathReason reason = BlockPath.isValid(path) ? ofPath(BlockPath.parse(path)) : ofName(path);
    return reason.write(row.id(), path);
  }

  /** Memory blocks, turns and what else is left out by name. */
  private PathReason ofName(String name) {
    RequestContents known = contents;
    if (known == null) {
      return PathReason.NOT_RECORDED;
    }
    Optional<Omission> shortened = named(known.truncated(), name);
    if (shortened.isPresent()) {
      return PathReason.shortened(shortened.get(), null);
    }
    if (known.memory().contains(name)) {
      return PathReason.sent("memory", "it is a memory block that the agent is shown", null);
    }
    return named(known.dropped(), name)
        .map(PathReason::left)
        .or(() -> turn(name))
        .orElseGet(() -> PathReason.unknown("memory block, turn or path", name));
  }

  private Optional<PathReason> turn(String name) {
    return TurnId.isValid(name)
        ? store()
            .turn(session.scope(), new TurnId(name))
            .filter(turn -> turn.firstSeq() > 0)
            .map(turn -> ofSeq(turn.lastSeq(), name, turn.turn(), null))
        : Optional.empty();
  }

  private static Optional<Omission> named(List<Omission> omissions, String name) {
    return omissions.stream()
        .filter(omission -> omission.id().equals(name) || omission.id().endsWith("/" + name))
        .findFirst();
  }

  private PathReason ofPath(BlockPath path) {
    if (path.kind() == BlockPath.Kind.SUMMARY) {
      return ofSummary(path);
    }
    if (contents != null && contents.pinned().contains(path.text())) {
      PartReasons.Reason reason = PartReasons.PINNED;
      return PathReason.sent(reason.code(), reason.detail(), partOn(path.text()).orElse(null));
    }
    List<StoredBlock> stored =
        store().blocksOn(session.scope(), path).stream()
            .filter(block -> block.block().path().filter(path::equals).isPresent())
            .toList();
    if (stored.isEmpty()) {
      return PathReason.unknown("block of the conversation", path.text());
    }
    long newest = contents == null ? Long.MAX_VALUE : contents.newest();
    List<StoredBlock> before = stored.stream().filter(block -> block.seq() <= newest).toList();
    if (before.isEmpty()) {
      return PathReason.left(
          "later", "block " + stored.getFirst().seq() + " was written after this request");
    }
    StoredBlock block = shownOf(before);
    return ofSeq(block.seq(), path.text(), block.block().turn(), block);
  }

  /** Of several with one path the one that is shown; else the newest. */
  private StoredBlock shownOf(List<StoredBlock> blocks) {
    return blocks.stream()
        .filter(block -> part(block.seq()).isPresent())
        .reduce((first, second) -> second)
        .orElse(blocks.getLast());
  }

  private PathReason ofSeq(long seq, String name, TurnId turn, @Nullable StoredBlock block) {
    Optional<Integer> part = part(seq);
    if (part.isPresent()) {
      return ofPart(seq, name, part.get());
    }
    RequestContents known = contents;
    if (known == null) {
      return PathReason.NOT_RECORDED;
    }
    Optional<Omission> dropped =
        named(known.dropped(), name)
            .or(() -> named(known.dropped(), turn.value() + "#" + seq))
            .or(() -> turnOmission(known, turn));
    if (dropped.isPresent()) {
      return PathReason.left(dropped.get());
    }
    if (seq < known.cutSeq()) {
      return PathReason.summarized(summary, name, seq);
    }
    boolean excluded = session.timeline().isExcluded(turn);
    return excluded
        ? PathReason.left(
            "incomplete_turn", "its turn " + turn.value() + " was not kept in context")
        : PathReason.left(
            "nothing_to_show",
            "a block of type "
                + (block == null ? "header" : block.block().type().name())
                + " shows nothing of its own to a model");
  }

  private static Optional<Omission> turnOmission(RequestContents known, TurnId turn) {
    return known.dropped().stream()
        .filter(one -> one.kind().equals("turn") && one.id().equals(turn.value()))
        .findFirst();
  }

  private PathReason ofPart(long seq, String name, int part) {
    Optional<Omission> shortened =
        contents == null ? Optional.empty() : named(contents.truncated(), name);
    if (shortened.isPresent()) {
      return PathReason.shortened(shortened.get(), part);
    }
    PartReasons.Reason reason = parts().ofSeq(seq);
    return PathReason.sent(reason.code(), reason.detail(), part);
  }

  private PathReason ofSummary(BlockPath path) {
    Optional<Integer> part = partOn(path.text());
    if (part.isPresent()) {
      PartReasons.Reason reason = parts().of(part.get());
      return PathReason.sent(reason.code(), reason.detail(), part.get());
    }
    return store().summaries(session.scope(), null, Store.MAX_PAGE).stream()
        .filter(one -> one.path().equals(path))
        .findFirst()
        .map(this::notShown)
        .orElseGet(() -> PathReason.unknown("summary", path.text()));
  }

  private PathReason notShown(Summary other) {
    if (other.createdAt().isAfter(row.at())) {
      return PathReason.left("later", "the summary was written after this request");
    }
    if (summary != null && summary.cutSeq() >= other.cutSeq()) {
      return PathReason.left(
          "replaced", "the newer summary " + summary.id() + " stands for what it stood for");
    }
    return other.withdrawn()
        ? PathReason.left("withdrawn", "the summary was withdrawn")
        : PathReason.left("not_used", "the request shows the blocks that it stands for");
  }

  /** The part that a block went into; several short blocks may share one. */
  private Optional<Integer> part(long seq) {
    RequestContents known = contents;
    if (known != null && !known.shows(seq)) {
      return Optional.empty();
    }
    Integer holder = null;
    for (int i = 0; i < record.blocks().size(); i++) {
      LedgerBlock block = record.blocks().get(i);
      long own = block.origin().seq();
      if (own == seq) {
        return Optional.of(i);
      }
      if (known != null && own > 0 && own < seq && block.tier() == RequestBlock.Tier.MESSAGES) {
        holder = i;
      }
    }
    return Optional.ofNullable(holder);
  }

  private Optional<Integer> partOn(String path) {
    for (int i = 0; i < record.blocks().size(); i++) {
      if (record.blocks().get(i).origin().path().equals(path)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private Store store() {
    return session.services().store();
  }
}

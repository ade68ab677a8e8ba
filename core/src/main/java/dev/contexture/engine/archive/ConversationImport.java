package dev.contexture.engine.archive;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.turn.BlockAppender;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.CacheTouch;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Feedback;
import dev.contexture.store.Head;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Outcome;
import dev.contexture.store.PinRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Visibility;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One conversation of an archive, all of it read before anything is written. */
final class ConversationImport {
  private static final int RECORDS_AT_ONCE = 5_000;
  private static final int BLOCKS_IN_A_ROW = 1_000;
  private static final String MARK = "archive:"; // with the number of the set
  private static final TurnId NO_TURN = TurnId.of("archive");

  private final Store store;
  private final Scope.OfConversation conversation;
  private final Started started;
  private final List<TurnRow> turns = new ArrayList<>();
  private final List<Row> feedback = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final List<Long> seqs = new ArrayList<>();
  private final List<Summary> summaries = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private final List<RequestRow> requests = new ArrayList<>();
  private final List<EpochRow> epochs = new ArrayList<>();
  private final Map<String, Binary> contents = new HashMap<>();
  private final LineHash hash = new LineHash();
  private String sha256;

  ConversationImport(Store store, Scope scope, ArchiveLine line) {
    this.store = store;
    this.started = line.read(Started.class);
    this.conversation = scope.user(started.user()).conversation(started.conversation());
    this.sha256 = hash.next(line.json().toJson());
  }

  private record Started(
      String user,
      String conversation,
      @Nullable String title,
      Instant createdAt,
      Instant lastActivityAt,
      @Nullable CacheTouch touch) {}

  private record Placed(long seq, Block block) {}

  void add(ArchiveLine line) {
    sha256 = hash.next(line.json().toJson());
    switch (line.type()) {
      case ArchiveLine.TURN -> addTurn(line);
      case ArchiveLine.BLOCK -> {
        Placed placed = line.read(Placed.class);
        blocks.add(placed.block());
        seqs.add(placed.seq());
      }
      case ArchiveLine.SUMMARY -> summaries.add(line.read(Summary.class));
      case ArchiveLine.RANGE -> rows.add(new Row.PutArchivedRange(moved(line)));
      case ArchiveLine.VISIBILITY -> {
        Visibility record = line.read(Visibility.class);
        rows.add(new Row.PutVisibility(List.of(moved(record))));
      }
      case ArchiveLine.SOURCE -> rows.add(new Row.PutSources(List.of(line.read(SourceRow.class))));
      case ArchiveLine.PIN -> {
        PinRow pin = line.read(PinRow.class);
        rows.add(new Row.PutPin(new PinRow(pin.path(), pin.at(), at(pin.asOf()))));
      }
      case ArchiveLine.KEPT -> addKept(line.read(StoredWindow.TurnScoped.class));
      case ArchiveLine.CONTENT -> {
        Binary content = line.read(Content.class).data();
        contents.put(content.sha256(), content);
      }
      case ArchiveLine.REQUEST -> requests.add(line.read(RequestRow.class));
      case ArchiveLine.EPOCH -> epochs.add(line.read(EpochRow.class));
      default ->
          throw ArchiveLine.malformed(
              line.number(), "'" + line.type() + "' has no place in a conversation", null);
    }
  }

  private record Content(Binary data) {}

  private void addTurn(ArchiveLine line) {
    TurnRow turn = line.read(TurnRow.class);
    turns.add(turn);
    for (JsonValue each : line.json().array("feedback").orElse(JsonArray.of()).items()) {
      if (each instanceof JsonObject given) {
        feedback.add(
            new Row.PutFeedback(turn.turn(), ArchiveLine.CODEC.read(given, Feedback.class)));
      }
    }
  }

  private void addKept(StoredWindow.TurnScoped kept) {
    rows.add(new Row.SetAnnounce(kept.turn(), kept.announce()));
    List<Block> transients = kept.transients().stream().map(StoredWindow.Transient::block).toList();
    if (!transients.isEmpty()) {
      rows.add(new Row.AddTransient(kept.turn(), transients));
    }
    rows.add(new Row.SetPendingAnswer(kept.turn(), kept.pendingAnswer()));
  }

  /** The place that the first block from an old place on has now: erased turns leave no gaps. */
  private long at(long seq) {
    int found = Collections.binarySearch(seqs, seq);
    return found >= 0 ? found + 1L : -found;
  }

  /** The place that the last block up to an old place has now. */
  private long upTo(long seq) {
    int found = Collections.binarySearch(seqs, seq);
    return found >= 0 ? found + 1L : -found - 1L;
  }

  private ArchivedRange moved(ArchiveLine line) {
    ArchivedRange range = line.read(ArchivedRange.class);
    return new ArchivedRange(
        range.id(),
        at(range.fromSeq()),
        upTo(range.toSeq()),
        range.turns(),
        range.strategy(),
        range.summaryId(),
        range.createdAt());
  }

  private Visibility moved(Visibility record) {
    return new Visibility(
        at(record.seq()),
        record.replacement(),
        record.reason(),
        record.at(),
        record.maxTokens(),
        record.summaryId());
  }

  private Summary moved(Summary summary) {
    return new Summary(
        summary.id(),
        at(summary.cutSeq()),
        at(summary.fromSeq()),
        summary.turn(),
        summary.text(),
        summary.mainText(),
        summary.splitText(),
        summary.meta(),
        summary.createdAt(),
        summary.withdrawn());
  }

  /**
   * Whether the store has all of this conversation already.
   *
   * @throws ContextureException {@code id_conflict} if it has another one of that name
   */
  boolean isThere() {
    Head head = store.head(conversation).orElse(null);
    if (head == null || head.version() == 0 || isBegun(head.version())) {
      return false;
    }
    List<StoredBlock> last = store.readRange(conversation, blocks.size(), blocks.size(), 1);
    boolean same =
        head.blocks() == blocks.size()
            && head.turns() == turns.size()
            && Objects.equals(head.title(), started.title())
            && (blocks.isEmpty()
                || (last.size() == 1 && last.getFirst().block().equals(blocks.getLast())));
    if (same) {
      return true;
    }
    throw new ContextureException(
        ErrorCode.ID_CONFLICT,
        "user "
            + conversation.user()
            + " has another conversation "
            + conversation.conversation()
            + "; nothing was imported: erase it first, or import into another project",
        Map.of("conversation", conversation.conversation(), "user", conversation.user()),
        null);
  }

  /**
   * Whether an import of the same lines ended before it was done, and nobody wrote since: each of
   * its sets raised the version by one and left its mark.
   */
  private boolean isBegun(long version) {
    return store
            .outcome(conversation, MARK + version)
            .filter(mark -> mark.value().equals(markValue()))
            .isPresent()
        && version <= sets().size();
  }

  private JsonObject markValue() {
    return JsonObject.of("sha256", JsonValue.of(sha256));
  }

  /**
   * Writes it, or what is missing of it. Each set expects that nobody wrote since the one before:
   * what others made of that name meanwhile stays as it is.
   *
   * @throws ContextureException {@code id_conflict} if somebody wrote to it meanwhile
   */
  void write() {
    List<List<Row>> sets = sets();
    long version = store.version(conversation);
    int written = version > 0 && isBegun(version) ? (int) version : 0;
    for (int i = written; i < sets.size(); i++) {
      sets.get(i).forEach(this::putBinaries);
      commit(sets.get(i), i, started.createdAt());
    }
    commit(List.of(), sets.size(), started.lastActivityAt()); // when something happened last
  }

  private void commit(List<Row> rows, long version, Instant at) {
    WriteSet.Builder set =
        WriteSet.of(conversation, at).expect(new Precondition.VersionIs(version));
    rows.forEach(set::add);
    TurnId turn = turns.isEmpty() ? NO_TURN : turns.getFirst().turn();
    set.add(new Row.PutOutcome(new Outcome(MARK + (version + 1), turn, markValue())));
    Archives.done(store.commit(set.build()));
  }

  private void putBinaries(Row row) {
    List<Block> held =
        switch (row) {
          case Row.AppendBlocks append -> append.blocks().stream().map(NewBlock::block).toList();
          case Row.SetAnnounce announce -> announce.blocks();
          case Row.AddTransient kept -> kept.blocks();
          default -> List.of(); // holds none
        };
    held.stream()
        .flatMap(block -> block.data().stream())
        .forEach(data -> store.putBinary(conversation.owner().scope(), data));
  }

  /**
   * The rows in the order in which they are written, and as many together as are written at once.
   */
  private List<List<Row>> sets() {
    List<List<Row>> sets = new ArrayList<>();
    int records = RECORDS_AT_ONCE;
    for (Row row : inOrder()) {
      if (records + row.recordCount() > RECORDS_AT_ONCE) {
        sets.add(new ArrayList<>());
        records = 0;
      }
      sets.getLast().add(row);
      records += row.recordCount();
    }
    return sets;
  }

  private List<Row> inOrder() {
    List<Row> all = new ArrayList<>();
    turns.forEach(turn -> all.add(new Row.PutTurn(turn)));
    if (started.title() != null) {
      all.add(new Row.SetTitle(started.title()));
    }
    for (int from = 0; from < blocks.size(); from += BLOCKS_IN_A_ROW) {
      int to = Math.min(blocks.size(), from + BLOCKS_IN_A_ROW);
      all.add(new Row.AppendBlocks(withKnownMemory(blocks.subList(from, to))));
    }
    summaries.reversed().forEach(summary -> all.add(new Row.PutSummary(moved(summary))));
    all.addAll(rows);
    all.addAll(feedback);
    turns.forEach(turn -> all.add(new Row.IndexTurn(turn.turn())));
    for (RequestRow request : requests.reversed()) {
      List<Binary> held =
          request.binaries().stream().map(contents::get).filter(Objects::nonNull).toList();
      all.add(new Row.PutRequest(withKnownMemory(request), held));
    }
    if (started.touch() != null) {
      all.add(new Row.Touch(started.touch()));
    }
    for (EpochRow epoch : epochs) {
      if (known(epoch.blocks()).size() == epoch.blocks().size()) {
        all.add(new Row.PutEpoch(epoch));
      }
    }
    return all;
  }

  private List<NewBlock> withKnownMemory(List<Block> some) {
    return BlockAppender.rows(some).stream()
        .map(row -> new NewBlock(row.block(), row.artifactPath(), known(row.memory())))
        .toList();
  }

  private RequestRow withKnownMemory(RequestRow request) {
    return new RequestRow(
        request.id(),
        request.turn(),
        request.at(),
        request.record(),
        request.binaries(),
        request.sent(),
        known(request.memory()));
  }

  /** Those of these memory blocks that the store has: what is not there cannot be erased. */
  private Set<String> known(Set<String> memory) {
    return memory.stream()
        .filter(id -> store.memory().block(conversation.owner().scope(), id).isPresent())
        .collect(Collectors.toSet());
  }

  int turnCount() {
    return turns.size();
  }
}

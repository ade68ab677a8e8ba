package dev.contexture.testkit;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.CacheTouch;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Feedback;
import dev.contexture.store.Head;
import dev.contexture.store.Outcome;
import dev.contexture.store.RequestRow;
import dev.contexture.store.SourceRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.TurnRow;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of one conversation. Guarded by the lock of its store. */
final class InMemoryConversation {
  private static final Set<BlockType> CARRIED =
      Set.of(BlockType.TURN_HEADER, BlockType.USER_PROMPT, BlockType.USER_ATTACHMENT_META);

  final NavigableMap<Long, Entry> blocks = new TreeMap<>();
  final Map<String, Long> seqById = new HashMap<>();
  final LinkedHashMap<TurnId, TurnState> turns = new LinkedHashMap<>();
  final Map<String, Summary> summaries = new LinkedHashMap<>();
  final Map<String, Versioned<ArchivedRange>> ranges = new LinkedHashMap<>();
  final NavigableMap<Long, Versioned<@Nullable Visibility>> visibility = new TreeMap<>();
  final NavigableMap<Long, SourceRow> sources = new TreeMap<>();
  final LinkedHashMap<TurnId, ScopedState> scoped = new LinkedHashMap<>();
  final Map<String, Outcome> outcomes = new HashMap<>();
  final LinkedHashMap<String, Versioned<RequestRow>> requests = new LinkedHashMap<>();
  final NavigableMap<String, EpochRow> epochs = new TreeMap<>();
  final NavigableMap<Long, Noted> notes = new TreeMap<>();
  final Instant createdAt;
  Instant lastActivityAt;
  Instant activity; // its place in lists
  long version;
  long nextSeq = 1;
  long nextSid = 1;
  long erasedVersion;
  @Nullable String title;
  @Nullable String agent;
  @Nullable CacheTouch touch;

  InMemoryConversation(Instant at) {
    this.createdAt = at;
    this.lastActivityAt = at;
    this.activity = at;
  }

  /** A stored block with what it is found by. */
  record Entry(StoredBlock block, @Nullable BlockPath artifactPath, Set<String> memory) {}

  /** Takes a memory block out of everything that holds it. */
  void eraseMemory(String memory) {
    epochs.replaceAll((agent, epoch) -> epoch.blocks().contains(memory) ? epoch.erased() : epoch);
    requests.replaceAll(
        (id, request) ->
            request.value().memory().contains(memory)
                ? new Versioned<>(request.value().erased(), request.version())
                : request);
    List<Long> repeating =
        blocks.values().stream()
            .filter(entry -> entry.memory().contains(memory))
            .map(entry -> entry.block().seq())
            .toList();
    repeating.forEach(blocks::remove);
    repeating.forEach(visibility::remove);
    if (!repeating.isEmpty()) {
      version++;
      erasedVersion = version;
    }
  }

  /** Adds what it holds, by kind. */
  void count(Map<String, Long> counts) {
    counts.merge("conversations", 1L, Long::sum);
    counts.merge("turns", (long) turns.size(), Long::sum);
    counts.merge("blocks", (long) blocks.size(), Long::sum);
    counts.merge("summaries", (long) summaries.size(), Long::sum);
    counts.merge("requests", (long) requests.size(), Long::sum);
  }

  /** A value with the version that wrote it; a null value is one that was dropped. */
  record Versioned<T extends @Nullable Object>(T value, long version) {}

  /** A note and its time. */
  record Noted(Instant at, JsonObject note) {}

  /** A turn's row with what the store adds. */
  static final class TurnState {
    TurnRow row;
    final long openedVersion;
    long statusVersion;
    final LinkedHashMap<String, Feedback> feedback = new LinkedHashMap<>();

    TurnState(TurnRow row, long version) {
      this.row = row;
      this.openedVersion = version;
      this.statusVersion = version;
    }
  }

  /** What is kept with a turn. */
  static final class ScopedState {
    List<Block> announce = List.of();
    final List<StoredWindow.Transient> transients = new ArrayList<>();
    @Nullable JsonObject pendingAnswer;

    boolean isEmpty() {
      return announce.isEmpty() && transients.isEmpty() && pendingAnswer == null;
    }
  }

  Head head() {
    return new Head(
        version,
        nextSeq,
        nextSid,
        title,
        openTurns().reduce((earlier, later) -> later).orElse(null),
        agent,
        turns.size(),
        turns.values().stream().filter(turn -> turn.row.status().kept()).count(),
        blocks.size(),
        touch,
        createdAt,
        lastActivityAt);
  }

  ConversationEntry entry(Scope.OfConversation conversation) {
    return new ConversationEntry(conversation, head(), activity);
  }

  /** Goes to the top of its user's list: to the time of a commit, or just behind all others. */
  void rise(
      Scope.OfConversation self, Instant at, Map<Scope.OfConversation, InMemoryConversation> all) {
    Instant least = activity.isAfter(at) ? activity : at;
    activity =
        all.entrySet().stream()
            .filter(entry -> entry.getKey().owner().equals(self.owner()))
            .filter(entry -> !entry.getKey().equals(self))
            .map(entry -> entry.getValue().activity.plus(1, ChronoUnit.MICROS))
            .reduce(least, (one, other) -> one.isAfter(other) ? one : other);
  }

  Stream<TurnId> openTurns() {
    return turns.values().stream()
        .filter(turn -> turn.row.status() == TurnStatus.OPEN)
        .map(turn -> turn.row.turn());
  }

  StoredTurn turn(TurnState state) {
    List<Long> seqs =
        blocks.values().stream()
            .filter(entry -> entry.block().block().turn().equals(state.row.turn()))
            .map(entry -> entry.block().seq())
            .toList();
    return new StoredTurn(
        state.row,
        state.openedVersion,
        state.statusVersion,
        seqs.isEmpty() ? 0 : seqs.getFirst(),
        seqs.isEmpty() ? 0 : seqs.getLast(),
        seqs.size(),
        List.copyOf(state.feedback.values()));
  }

  List<Summary> summaries() {
    List<Summary> newestFirst = new ArrayList<>(summaries.values()).reversed();
    return newestFirst.stream()
        .sorted(
            Comparator.comparingLong(Summary::cutSeq).thenComparing(Summary::createdAt).reversed())
        .toList();
  }

  @Nullable Summary newestUsable() {
    return summaries().stream()
        .filter(summary -> !summary.withdrawn())
        .filter(summary -> summary.coveredTurns().stream().noneMatch(this::excluded))
        .findFirst()
        .orElse(null);
  }

  boolean excluded(TurnId id) {
    TurnState turn = turns.get(id);
    return turn != null && turn.row.status() != TurnStatus.OPEN && !turn.row.status().kept();
  }

  long windowBytes() {
    return window().blocks().stream()
        .map(StoredBlock::block)
        .mapToLong(
            block ->
                block.text().map(String::length).orElse(0)
                    + block.data().map(Binary::sizeBytes).orElse(0))
        .sum();
  }

  StoredWindow window() {
    Summary summary = newestUsable();
    long cut = summary == null ? 1 : summary.cutSeq();
    List<ArchivedRange> archived =
        ranges.values().stream()
            .map(Versioned::value)
            .filter(range -> range.toSeq() >= cut)
            .filter(range -> !isWithdrawn(range.summary()))
            .sorted(Comparator.comparingLong(ArchivedRange::fromSeq))
            .toList();
    List<StoredBlock> shown =
        blocks(blocks.tailMap(cut, true).values())
            .filter(block -> !excluded(block.block().turn()))
            .filter(block -> archived.stream().noneMatch(range -> range.contains(block.seq())))
            .toList();
    List<StoredBlock> carried =
        shown.isEmpty() ? List.of() : carried(shown.getFirst().block().turn(), cut);
    Set<TurnId> named =
        Stream.concat(
                Stream.concat(carried.stream(), shown.stream()).map(block -> block.block().turn()),
                openTurns())
            .collect(Collectors.toSet());
    return new StoredWindow(
        head(),
        summary,
        carried,
        shown,
        turns.values().stream()
            .filter(turn -> named.contains(turn.row.turn()))
            .map(this::turn)
            .toList(),
        archived,
        Stream.concat(carried.stream(), shown.stream())
            .flatMap(block -> visible(block.seq()).stream())
            .toList(),
        List.copyOf(sources.values()),
        scoped());
  }

  private boolean isWithdrawn(Optional<String> summary) {
    return summary.map(summaries::get).filter(Summary::withdrawn).isPresent();
  }

  private List<StoredBlock> carried(TurnId turn, long cut) {
    List<StoredBlock> before =
        blocks(blocks.headMap(cut, false).values())
            .filter(block -> block.block().turn().equals(turn))
            .toList();
    return before.stream()
        .filter(
            block ->
                block.seq() == before.getFirst().seq() || CARRIED.contains(block.block().type()))
        .toList();
  }

  private Optional<Visibility> visible(long seq) {
    Versioned<@Nullable Visibility> record = visibility.get(seq);
    return record == null ? Optional.empty() : Optional.ofNullable(record.value());
  }

  private List<StoredWindow.TurnScoped> scoped() {
    return scoped.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .map(
            entry ->
                new StoredWindow.TurnScoped(
                    entry.getKey(),
                    entry.getValue().announce,
                    entry.getValue().transients,
                    entry.getValue().pendingAnswer))
        .toList();
  }

  static Stream<StoredBlock> blocks(Collection<Entry> entries) {
    return entries.stream().map(Entry::block);
  }

  List<ChangeRecord> changes(long after, int limit) {
    NavigableMap<Long, ChangeRecord> changes = new TreeMap<>();
    notes
        .tailMap(after, false)
        .forEach(
            (number, noted) ->
                changes.put(number, new ChangeRecord(number, noted.at(), 0, 0, noted.note())));
    blocks(blocks.values())
        .filter(block -> block.version() > after)
        .forEach(block -> changes.merge(block.version(), of(block), InMemoryConversation::join));
    return changes.values().stream().limit(limit).toList();
  }

  private static ChangeRecord of(StoredBlock block) {
    return new ChangeRecord(block.version(), null, block.seq(), block.seq(), null);
  }

  private static ChangeRecord join(ChangeRecord known, ChangeRecord block) {
    long first = known.firstSeq() == 0 ? block.firstSeq() : known.firstSeq();
    return new ChangeRecord(known.version(), known.at(), first, block.lastSeq(), known.note());
  }
}

package dev.contexture.testkit;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.testkit.InMemoryConversation.TurnState;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the first thing that keeps a write set from being applied. Changes nothing. */
final class InMemoryPreconditions {
  private final InMemoryConversation state;
  private final Predicate<String> hasBinary;
  private final Predicate<String> hasMemory;
  private final Set<TurnId> newTurns = new HashSet<>();
  private final Set<String> newKeys = new HashSet<>();

  InMemoryPreconditions(
      InMemoryConversation state, Predicate<String> hasBinary, Predicate<String> hasMemory) {
    this.state = state;
    this.hasBinary = hasBinary;
    this.hasMemory = hasMemory;
  }

  Optional<Reason> judge(WriteSet set) {
    Stream<Reason> broken = set.preconditions().stream().map(this::judge).flatMap(Optional::stream);
    Stream<Reason> refused = set.rows().stream().map(this::judge).flatMap(Optional::stream);
    return Stream.concat(broken, refused).findFirst();
  }

  private Optional<Reason> judge(Precondition condition) {
    return Optional.ofNullable(
        switch (condition) {
          case Precondition.VersionIs is ->
              is.version() == state.version
                  ? null
                  : new Reason.VersionDiffers(is.version(), state.version);
          case Precondition.TurnIs is -> turnIs(is);
          case Precondition.TurnUnused unused ->
              state.turns.containsKey(unused.turn()) ? new Reason.TurnUsed(unused.turn()) : null;
          case Precondition.NoOpenTurn none ->
              state
                  .openTurns()
                  .filter(turn -> !turn.equals(none.except()))
                  .findFirst()
                  .map(Reason.TurnOpen::new)
                  .orElse(null);
          case Precondition.NewestSummaryIs is -> newestSummaryIs(is.summaryId());
          case Precondition.UnchangedSince since ->
              changed(since)
                  ? new Reason.RangeChanged(since.version(), since.fromSeq(), since.toSeq())
                  : null;
          case Precondition.NextSidIs is ->
              is.sid() == state.nextSid ? null : new Reason.NextSidDiffers(is.sid(), state.nextSid);
          case Precondition.NoTitle _unused ->
              state.title == null ? null : new Reason.Titled(state.title);
        });
  }

  private @Nullable Reason turnIs(Precondition.TurnIs is) {
    TurnState turn = state.turns.get(is.turn());
    TurnStatus actual = turn == null ? null : turn.row.status();
    return actual == is.status() ? null : new Reason.TurnDiffers(is.turn(), is.status(), actual);
  }

  private @Nullable Reason newestSummaryIs(@Nullable String expected) {
    Summary newest = state.newestUsable();
    String actual = newest == null ? null : newest.id();
    return Objects.equals(expected, actual) ? null : new Reason.SummaryDiffers(expected, actual);
  }

  private boolean changed(Precondition.UnchangedSince since) {
    boolean visibility =
        state.visibility.subMap(since.fromSeq(), since.toSeq()).values().stream()
            .anyMatch(record -> record.version() > since.version());
    boolean archived =
        state.ranges.values().stream()
            .filter(range -> range.version() > since.version())
            .anyMatch(
                range ->
                    range.value().fromSeq() < since.toSeq()
                        && range.value().toSeq() >= since.fromSeq());
    boolean turns =
        state.blocks.subMap(since.fromSeq(), since.toSeq()).values().stream()
            .map(entry -> state.turns.get(entry.block().block().turn()))
            .anyMatch(turn -> turn != null && turn.statusVersion > since.version());
    return visibility || archived || turns || state.erasedVersion > since.version();
  }

  private Optional<Reason> judge(Row row) {
    return Optional.ofNullable(
        switch (row) {
          case Row.AppendBlocks append -> {
            Reason reason = blocks(append.blocks().stream().map(NewBlock::block).toList(), row);
            Set<String> memory =
                append.blocks().stream()
                    .flatMap(added -> added.memory().stream())
                    .collect(Collectors.toSet());
            yield reason == null ? memory(memory) : reason;
          }
          case Row.PutTurn put -> {
            newTurns.add(put.turn().turn());
            yield null;
          }
          case Row.PutSummary put -> unused("s" + put.summary().id(), put);
          case Row.WithdrawSummary withdraw -> withdraw(withdraw.id());
          case Row.PutArchivedRange put -> unused("r" + put.range().id(), put);
          case Row.SetAnnounce set -> kept(set.turn(), set.blocks(), row);
          case Row.AddTransient add -> kept(add.turn(), add.blocks(), row);
          case Row.SetPendingAnswer set -> known(set.turn());
          case Row.PutFeedback put -> known(put.turn());
          case Row.PutOutcome put -> unused("o" + put.outcome().key(), put);
          case Row.PutRequest put -> request(put);
          case Row.PutVisibility _unused -> null;
          case Row.DropVisibility _unused -> null;
          case Row.PutSources _unused -> null;
          case Row.ClearTurnScoped _unused -> null;
          case Row.SetTitle _unused -> null;
          case Row.DropFeedback _unused -> null;
          case Row.IndexTurn _unused -> null;
          case Row.Touch _unused -> null;
          case Row.DropRequests _unused -> null;
          case Row.PutEpoch put -> memory(put.epoch().blocks());
          case Row.TouchEpoch _unused -> null;
        });
  }

  private @Nullable Reason kept(TurnId turn, List<Block> blocks, Row row) {
    Reason unknown = known(turn);
    return unknown != null ? unknown : blocks(blocks, row);
  }

  private @Nullable Reason blocks(List<Block> blocks, Row row) {
    for (Block block : blocks) {
      Reason unknown = known(block.turn());
      if (unknown != null) {
        return unknown;
      }
    }
    Map<String, Long> used = new LinkedHashMap<>();
    for (String id : row.blockIds()) {
      Long seq = state.seqById.get(id);
      if (seq != null) {
        used.put(id, seq);
      }
    }
    if (!used.isEmpty()) {
      return new Reason.BlockIdsUsed(used);
    }
    return binaries(
        blocks.stream().map(Block::data).flatMap(Optional::stream).map(Binary::sha256).toList());
  }

  private @Nullable Reason request(Row.PutRequest put) {
    Set<String> others = new LinkedHashSet<>(put.request().binaries());
    put.contents().forEach(brought -> others.remove(brought.sha256()));
    Reason erased = memory(put.request().memory());
    return erased == null ? binaries(others) : erased;
  }

  private @Nullable Reason memory(Collection<String> blocks) {
    Set<String> erased = new LinkedHashSet<>(blocks);
    erased.removeIf(hasMemory);
    return erased.isEmpty() ? null : new Reason.MemoryErased(erased);
  }

  private @Nullable Reason binaries(Collection<String> hashes) {
    Set<String> missing = new LinkedHashSet<>(hashes);
    missing.removeIf(hasBinary);
    return missing.isEmpty() ? null : new Reason.BinariesMissing(missing);
  }

  private @Nullable Reason known(TurnId turn) {
    boolean known = state.turns.containsKey(turn) || newTurns.contains(turn);
    return known ? null : new Reason.TurnUnknown(turn);
  }

  private @Nullable Reason withdraw(String id) {
    Summary summary = state.summaries.get(id);
    boolean there = (summary != null && !summary.withdrawn()) || newKeys.contains("s" + id);
    return there ? null : new Reason.SummaryGone(id);
  }

  private @Nullable Reason unused(String key, Row row) {
    boolean twice = !newKeys.add(key);
    return switch (row) {
      case Row.PutSummary put ->
          twice || state.summaries.containsKey(put.summary().id())
              ? new Reason.SummaryUsed(put.summary().id())
              : null;
      case Row.PutArchivedRange put ->
          twice || state.ranges.containsKey(put.range().id())
              ? new Reason.RangeUsed(put.range().id())
              : null;
      case Row.PutOutcome put -> {
        var known = twice ? put.outcome() : state.outcomes.get(put.outcome().key());
        yield known == null ? null : new Reason.AlreadyDone(known);
      }
      default -> throw new IllegalStateException("no key: " + row);
    };
  }
}

package dev.contexture.view;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.CallBatch;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** One block of the stable stream with what it emits. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StreamItem {
  private final Object source;
  private final Emission emission;
  private final boolean replaced;
  private final boolean carried;
  private final Rounds.Place place;
  private final @Nullable Round round;
  private final @Nullable CallBatch batch;
  private final @Nullable String tool;
  private final long costThrough;
  private final int roundsThrough;

  private StreamItem(
      Object source,
      Emission emission,
      boolean replaced,
      boolean carried,
      Rounds.Place place,
      @Nullable Round round,
      @Nullable CallBatch batch,
      @Nullable String tool,
      long costThrough,
      int roundsThrough) {
    this.source = source;
    this.emission = emission;
    this.replaced = replaced;
    this.carried = carried;
    this.place = place;
    this.round = round;
    this.batch = batch;
    this.tool = tool;
    this.costThrough = costThrough;
    this.roundsThrough = roundsThrough;
  }

  static StreamItem of(Summary summary, Emission emission) {
    return new StreamItem(
        summary, emission, false, false, Rounds.Place.OWN, null, null, null, 0, 0);
  }

  static StreamItem carried(TimelineEntry entry, Emission emission, boolean replaced) {
    return new StreamItem(
        entry, emission, replaced, true, Rounds.Place.OWN, null, null, null, 0, 0);
  }

  static StreamItem of(
      TimelineEntry entry,
      Emission emission,
      boolean replaced,
      Rounds.Place place,
      @Nullable Round round,
      @Nullable CallBatch batch,
      @Nullable String tool) {
    return new StreamItem(entry, emission, replaced, false, place, round, batch, tool, 0, 0);
  }

  /**
   * The same at its place in a stream.
   *
   * @param before what the stream holds before it; null: nothing
   * @param startsRound whether its round has not appeared before
   */
  StreamItem behind(@Nullable StreamItem before, boolean startsRound) {
    long cost = (before == null ? 0 : before.costThrough) + cost();
    int rounds = (before == null ? 0 : before.roundsThrough) + (startsRound ? 1 : 0);
    return new StreamItem(
        source, emission, replaced, carried, place, round, batch, tool, cost, rounds);
  }

  /** The cost of the stream up to and including this. */
  long costThrough() {
    return costThrough;
  }

  /** How many rounds have appeared in the stream up to and including this. */
  int roundsThrough() {
    return roundsThrough;
  }

  Object source() {
    return source;
  }

  /** The block at its place; empty for a summary. */
  public Optional<TimelineEntry> entry() {
    return source instanceof TimelineEntry entry ? Optional.of(entry) : Optional.empty();
  }

  /** The summary; empty for a block. */
  public Optional<Summary> summary() {
    return source instanceof Summary summary ? Optional.of(summary) : Optional.empty();
  }

  public Emission emission() {
    return emission;
  }

  public long cost() {
    return emission.cost();
  }

  /** Whether a visibility record decides what it emits. */
  public boolean replaced() {
    return replaced;
  }

  /** Whether it is shown again behind a summary that stands for it. */
  public boolean carried() {
    return carried;
  }

  /** Whether it is shown because its path is pinned. */
  public boolean pinned() {
    return type().equals(BlockType.CONTEXT_PIN);
  }

  /** Where it goes in messages. */
  public Rounds.Place place() {
    return place;
  }

  public Optional<Round> round() {
    return Optional.ofNullable(round);
  }

  public Optional<CallBatch> batch() {
    return Optional.ofNullable(batch);
  }

  /** Its tool, by itself or by its call. */
  public Optional<String> tool() {
    return Optional.ofNullable(tool);
  }

  public BlockType type() {
    return source instanceof TimelineEntry entry ? entry.block().type() : BlockType.RANGE_SUMMARY;
  }

  public TurnId turn() {
    return switch (source) {
      case TimelineEntry entry -> entry.turn();
      case Summary summary -> summary.turn();
      default -> throw new IllegalStateException("an item is a block or a summary");
    };
  }

  public Optional<BlockPath> path() {
    return switch (source) {
      case TimelineEntry entry -> entry.block().path();
      case Summary summary -> Optional.of(summary.path());
      default -> throw new IllegalStateException("an item is a block or a summary");
    };
  }

  public OptionalLong seq() {
    return source instanceof TimelineEntry entry ? entry.seq() : OptionalLong.empty();
  }

  /** The block; empty for a summary. */
  public Optional<Block> block() {
    return entry().map(TimelineEntry::block);
  }

  /** What its round is in the count of rounds: the round, or the final one of its turn. */
  @Nullable Object roundKey() {
    if (round != null) {
      return round;
    }
    boolean ends = place == Rounds.Place.OWN && type().has(BlockType.Flag.FINAL);
    return ends ? turn() : null;
  }

  @Override
  public String toString() {
    return source + (replaced ? " (replaced)" : "");
  }
}

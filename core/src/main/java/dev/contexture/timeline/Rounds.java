package dev.contexture.timeline;

import dev.contexture.block.TurnId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How the blocks of a window belong together: which round each is of, and where it goes when calls
 * and results are sent as such (T-10, T-39).
 *
 * <p>It depends on stored blocks only, not on what is filtered or hidden, so that hiding a block
 * changes no round.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Rounds {
  /** Where a block goes in messages. */
  public enum Place {
    /** At its own place, in its own role. */
    OWN,
    /** In the assistant message of its batch, beside the calls. */
    WITH_CALLS,
    /** A call of its batch. */
    CALL,
    /** Inside the result of its round. */
    IN_RESULT,
    /** It came after its batch was closed: at its own place, as the user's text. */
    LATE,
    /** A result that no call stands before. */
    ORPHAN,
    /** A call that can have no result: it has no id, or a newer call took over its id. */
    UNANSWERED
  }

  private final Place[] places;
  private final @Nullable Round[] rounds;
  private final @Nullable CallBatch[] batches;
  private final @Nullable Round[] calledBy;

  private Rounds(int size) {
    this.places = new Place[size];
    this.rounds = new Round[size];
    this.batches = new CallBatch[size];
    this.calledBy = new Round[size];
  }

  /** Reads the blocks of a window in order. */
  public static Rounds of(Window window) {
    List<Entry> entries = window.entries();
    Rounds rounds = new Rounds(entries.size());
    Map<TurnId, RoundReader> readers = new HashMap<>();
    TurnId turn = null;
    RoundReader reader = null;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (reader == null || !entry.turn().equals(turn)) {
        turn = entry.turn();
        boolean split = window.isSplit(turn);
        reader = readers.computeIfAbsent(turn, unused -> new RoundReader(rounds, entries, split));
      }
      reader.read(i, entry);
    }
    readers.values().forEach(RoundReader::finish);
    return rounds;
  }

  public Place place(int position) {
    return places[position];
  }

  /** The round of a block; late blocks have none. */
  public Optional<Round> round(int position) {
    return Optional.ofNullable(rounds[position]);
  }

  /** The batch that the block is sent with, if it is sent with one. */
  public Optional<CallBatch> batch(int position) {
    return Optional.ofNullable(batches[position]);
  }

  /**
   * The round whose call names the tool of a block: its own round, or for a late block the newest
   * of its id.
   */
  public Optional<Round> calledBy(int position) {
    return Optional.ofNullable(calledBy[position]);
  }

  void put(int position, Place place, @Nullable Round round, @Nullable CallBatch batch) {
    places[position] = place;
    rounds[position] = round;
    batches[position] = batch;
    calledBy[position] = round;
  }

  void putLate(int position, @Nullable Round newest) {
    put(position, Place.LATE, null, null);
    calledBy[position] = newest;
  }

  void moveToBatch(int position, CallBatch batch) {
    places[position] = Place.WITH_CALLS;
    batches[position] = batch;
  }

  void setRound(int position, Round round) {
    rounds[position] = round;
    calledBy[position] = round;
  }

  @Nullable Round roundAt(int position) {
    return rounds[position];
  }
}

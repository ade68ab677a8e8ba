package dev.contexture.timeline;

import dev.contexture.block.TurnId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a window: which round each block belongs to, and where it goes when calls and
 * results are sent as such.
 *
 * <p>It depends on stored blocks only, not on what is filtered or hidden, so that hiding a block
 * changes no round.
 *
 * <p>Confined to one thread while it reads; afterwards it can be shared.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Rounds {
  /** The place of a block in messages. */
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

  private static final int FIRST_CAPACITY = 64;

  private final Map<TurnId, RoundReader> readers = new HashMap<>();
  private List<TimelineEntry> entries = List.of();
  private Place[] places = new Place[FIRST_CAPACITY];
  private @Nullable Round[] rounds = new Round[FIRST_CAPACITY];
  private @Nullable CallBatch[] batches = new CallBatch[FIRST_CAPACITY];
  private @Nullable Round[] calledBy = new Round[FIRST_CAPACITY];
  private int read;
  private int lowestChange;

  /** Rounds of no block yet, for {@link #extend}. */
  public Rounds() {}

  /** Reads the blocks of a window in order. */
  public static Rounds of(Window window) {
    Rounds rounds = new Rounds();
    rounds.extend(window, null);
    return rounds;
  }

  /**
   * Reads on: the window must begin with the blocks read so far, and the further ones must be of
   * the open turn.
   *
   * @param open the turn that can still grow; null: none can
   * @return the lowest position at which something is different from before
   */
  public int extend(Window window, @Nullable TurnId open) {
    entries = window.entries();
    ensureCapacity(entries.size());
    int start = read;
    lowestChange = start;
    TurnId turn = null;
    RoundReader reader = null;
    while (read < entries.size()) {
      TimelineEntry entry = entries.get(read);
      if (reader == null || !entry.turn().equals(turn)) {
        turn = entry.turn();
        boolean split = window.isSplit(turn);
        reader = readers.computeIfAbsent(turn, unused -> new RoundReader(this, split));
      }
      reader.read(read, entry);
      read++;
    }
    if (start == 0) {
      readers.forEach(
          (of, done) -> {
            if (!of.equals(open)) {
              done.finish();
            }
          });
    }
    return lowestChange;
  }

  private void ensureCapacity(int size) {
    if (size > places.length) {
      int capacity = Math.max(size, places.length + (places.length >> 1));
      places = Arrays.copyOf(places, capacity);
      rounds = Arrays.copyOf(rounds, capacity);
      batches = Arrays.copyOf(batches, capacity);
      calledBy = Arrays.copyOf(calledBy, capacity);
    }
  }

  TimelineEntry entry(int position) {
    return entries.get(position);
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
    changed(position);
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
    changed(position);
    places[position] = Place.WITH_CALLS;
    batches[position] = batch;
  }

  void setRound(int position, Round round) {
    changed(position);
    rounds[position] = round;
    calledBy[position] = round;
  }

  private void changed(int position) {
    lowestChange = Math.min(lowestChange, position);
  }

  @Nullable Round roundAt(int position) {
    return rounds[position];
  }
}

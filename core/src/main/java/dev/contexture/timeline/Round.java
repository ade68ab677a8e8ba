package dev.contexture.timeline;

import dev.contexture.block.CallId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * All blocks of a turn that share one call, from its notes to its results. Ids may repeat: a call
 * whose id is already answered opens a round of its own.
 *
 * <p>Positions are those in the window that the round was found in. Changed only while {@link
 * Rounds} reads the window; afterwards it can be shared.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Round {
  private final CallId id;
  private final List<Integer> results = new ArrayList<>(2);
  private @Nullable TimelineEntry call;
  private int callPosition = -1;
  private @Nullable CallBatch batch;

  Round(CallId id) {
    this.id = id;
  }

  public CallId id() {
    return id;
  }

  /** Its call; a round can consist of notes only. */
  public Optional<TimelineEntry> call() {
    return Optional.ofNullable(call);
  }

  /** Whether a result of the call is stored. */
  public boolean answered() {
    return !results.isEmpty();
  }

  /** The positions of its result blocks, without late ones. */
  public List<Integer> results() {
    return results;
  }

  /** The calls that were issued together with this one. */
  public Optional<CallBatch> batch() {
    return Optional.ofNullable(batch);
  }

  boolean isPending() {
    return call != null && results.isEmpty();
  }

  @Nullable CallBatch batchOrNull() {
    return batch;
  }

  /** The window position of its call, or -1. */
  public int callPosition() {
    return callPosition;
  }

  void setCall(int position, TimelineEntry entry, CallBatch into) {
    this.callPosition = position;
    this.call = entry;
    this.batch = into;
  }

  void addResult(int position) {
    results.add(position);
  }
}

package dev.contexture.compaction;

import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a compaction changes: previews that hold in any case, and the summary if one was made.
 *
 * @param previews visibility records to be stored
 * @param made the summary to be stored
 * @param report what came of it
 */
@API(status = API.Status.STABLE, since = "0.1")
public record CompactionOutcome(
    List<Visibility> previews, @Nullable Summary made, CompactionReport report) {
  public CompactionOutcome {
    previews = List.copyOf(previews);
  }

  public Optional<Summary> summary() {
    return Optional.ofNullable(made);
  }

  /** Whether there is something to be stored. */
  public boolean changes() {
    return made != null || !previews.isEmpty();
  }

  /** The timeline with the changes in it: the planned one, or one that has grown since. */
  public Timeline applyTo(Timeline timeline) {
    Timeline shown = previews.isEmpty() ? timeline : timeline.withVisibility(previews);
    return made == null ? shown : shown.withSummary(made);
  }
}

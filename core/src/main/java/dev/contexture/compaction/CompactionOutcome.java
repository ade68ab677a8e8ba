package dev.contexture.compaction;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a compaction: previews that hold in any case, archived turns, and the summary if
 * one was made.
 *
 * @param previews visibility records to be stored
 * @param made the summary to be stored
 * @param report what came of it
 * @param archived ranges of turns to be stored
 * @param leftOut turns that this one render leaves out although they are not archived
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompactionOutcome(
    List<Visibility> previews,
    @Nullable Summary made,
    CompactionReport report,
    List<ArchivedRange> archived,
    Set<TurnId> leftOut) {
  public CompactionOutcome {
    previews = List.copyOf(previews);
    archived = List.copyOf(archived);
    leftOut = Set.copyOf(leftOut);
  }

  /** An outcome without archived turns. */
  public CompactionOutcome(
      List<Visibility> previews, @Nullable Summary made, CompactionReport report) {
    this(previews, made, report, List.of(), Set.of());
  }

  public Optional<Summary> summary() {
    return Optional.ofNullable(made);
  }

  /** The same without the previews of some blocks. */
  public CompactionOutcome withoutPreviewsOf(Set<Long> seqs) {
    List<Visibility> left =
        previews.stream().filter(preview -> !seqs.contains(preview.seq())).toList();
    return new CompactionOutcome(left, made, report, archived, leftOut);
  }

  /** Whether there is something to be stored. */
  public boolean changes() {
    return made != null || !previews.isEmpty() || !archived.isEmpty();
  }

  /** The timeline with the changes in it: the planned one, or one that has grown since. */
  public Timeline applyTo(Timeline timeline) {
    Timeline shown = previews.isEmpty() ? timeline : timeline.withVisibility(previews);
    for (ArchivedRange range : archived) {
      shown = shown.withArchived(range);
    }
    return made == null ? shown : shown.withSummary(made);
  }
}

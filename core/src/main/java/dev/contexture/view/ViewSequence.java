package dev.contexture.view;

import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.VisibilityRecords;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The stable streams of one conversation as it grows. Each is what {@link View#of} would give;
 * where a timeline only adds blocks to the one before, only what they can change is rebuilt, and
 * all other items are the same objects.
 *
 * <p>Confined to one thread at a time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ViewSequence {
  private final ViewBuilder builder;
  private final long viewTokens;
  private @Nullable Timeline last;
  private @Nullable View shown;

  /**
   * The streams that a view with this budget shows.
   *
   * @param viewTokens {@link VisibilityRecords#NO_BUDGET}: it has none
   */
  public ViewSequence(ContributionFilters filters, Emitter emitter, long viewTokens) {
    this.builder = new ViewBuilder(filters, emitter);
    this.viewTokens = viewTokens;
  }

  /** The stream of the next timeline. */
  public View next(Timeline timeline) {
    View view = shown;
    if (view == null || timeline != last) {
      shown = null; // until the next one is whole
      view = builder.build(timeline.forView(viewTokens));
      shown = view;
      last = timeline;
    }
    return view;
  }
}

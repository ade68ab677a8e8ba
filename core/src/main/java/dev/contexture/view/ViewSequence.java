package dev.contexture.view;

import dev.contexture.timeline.Timeline;
import org.apiguardian.api.API;

/**
 * The stable streams of one conversation as it grows. Each is what {@link View#of} would give;
 * where a timeline only adds blocks to the one before, only what they can change is built anew, and
 * all other items are the same objects.
 *
 * <p>Confined to one thread at a time.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class ViewSequence {
  private final ViewBuilder builder;

  public ViewSequence(ContributionFilters filters, Emitter emitter) {
    this.builder = new ViewBuilder(filters, emitter);
  }

  /** The stream of the next timeline. */
  public View next(Timeline timeline) {
    return builder.build(timeline);
  }
}

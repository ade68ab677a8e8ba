package dev.contexture.engine.turn;

import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Artifact;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** Finds what a path of a stored conversation holds, wherever it is. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PathResolver {
  private final Store store;
  private final Scope.OfConversation scope;
  private final Supplier<Timeline> timeline;

  /**
   * @param timeline what is loaded; the pool of sources is there
   */
  public PathResolver(Store store, Scope.OfConversation scope, Supplier<Timeline> timeline) {
    this.store = store;
    this.scope = scope;
    this.timeline = timeline;
  }

  public Optional<Artifact> resolve(BlockPath path, boolean includeExcluded) {
    if (path.kind() == BlockPath.Kind.SOURCES) {
      return Artifact.resolve(timeline.get(), path, includeExcluded);
    }
    Timeline found = Timeline.empty();
    if (path.kind() == BlockPath.Kind.SUMMARY) {
      for (Summary summary : summaries()) {
        found = found.withSummary(summary);
      }
    }
    for (StoredBlock stored : blocksOn(path, includeExcluded)) {
      found = found.load(stored.seq(), stored.block());
    }
    return Artifact.resolve(found, path, true);
  }

  private List<Summary> summaries() {
    List<Summary> all = new ArrayList<>();
    List<Summary> page = store.summaries(scope, null, Store.MAX_PAGE);
    all.addAll(page);
    while (page.size() == Store.MAX_PAGE) {
      page = store.summaries(scope, page.getLast().id(), Store.MAX_PAGE);
      all.addAll(page);
    }
    return all;
  }

  /** All texts of a path, oldest first, without copies. */
  List<String> texts(BlockPath path) {
    List<String> texts = new ArrayList<>();
    for (StoredBlock stored : blocksOn(path, false)) {
      boolean own = stored.block().path().filter(path::equals).isPresent();
      if (own && !Artifact.isCopy(stored.block())) {
        stored.block().text().ifPresent(texts::add);
      }
    }
    return texts;
  }

  /** Blocks with the path, and results that are about it. */
  private List<StoredBlock> blocksOn(BlockPath path, boolean includeExcluded) {
    return store.blocksOn(scope, path).stream()
        .filter(stored -> includeExcluded || isShown(stored))
        .toList();
  }

  private boolean isShown(StoredBlock stored) {
    TurnStatus status =
        store
            .turn(scope, stored.block().turn())
            .map(StoredTurn::status)
            .orElse(TurnStatus.COMPLETE);
    return status.kept() || status == TurnStatus.OPEN;
  }
}

package dev.contexture.store.postgres;

import dev.contexture.block.Scope;
import dev.contexture.store.EraseReport;
import dev.contexture.store.jdbc.EraseJob;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Erases in steps, between which others write. A row of {@code erasures} names what is to be erased
 * until the last step; what a process left that died in between is finished when a store is opened.
 * Thread-safe.
 */
final class PostgresEraser {
  private final PostgresStore store;

  PostgresEraser(PostgresStore store) {
    this.store = store;
  }

  EraseReport inSteps(EraseJob.Kind kind, Scope scope, String subject) {
    EraseJob job = store.write(scope.tenant(), db -> EraseJob.begin(db, kind, scope, subject));
    return new EraseReport(finish(job), false);
  }

  /** Finishes what others began. */
  void finishLeftOver() {
    List<EraseJob> jobs = store.read(PostgresStore.NO_TENANT, EraseJob::leftOver);
    jobs.forEach(this::finish);
  }

  private Map<String, Long> finish(EraseJob job) {
    Map<String, Long> counts = new TreeMap<>();
    EraseJob.Step step;
    do {
      step = store.write(job.scope().tenant(), job::step);
      step.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    } while (!step.last());
    return counts;
  }
}

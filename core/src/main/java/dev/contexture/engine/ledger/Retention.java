package dev.contexture.engine.ledger;

import dev.contexture.request.LedgerSettings;
import dev.contexture.store.RequestRow;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds records that are kept no longer, now and then. Inside the session's lock. */
final class Retention {
  private static final int EVERY = 32;
  private static final int PAGE = 64;

  private final RequestLog log;
  private int sinceLast = EVERY;

  Retention(RequestLog log) {
    this.log = log;
  }

  /** Ids of the records beyond the kept number or time, one more being written. */
  Set<String> outlived(LedgerSettings settings, Instant now) {
    if (++sinceLast < EVERY) {
      return Set.of();
    }
    sinceLast = 0;
    Set<String> old = new HashSet<>();
    int count = 1; // the one that is being written
    List<RequestRow> page = log.list(null, PAGE);
    while (!page.isEmpty()) {
      for (RequestRow row : page) {
        boolean expired = row.at().plus(settings.retention()).isBefore(now);
        if (++count > settings.records() || expired) {
          old.add(row.id());
        }
      }
      page = log.list(page.getLast().id(), PAGE);
    }
    return old;
  }
}

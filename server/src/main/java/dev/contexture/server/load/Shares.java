package dev.contexture.server.load;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Shares something of which there is only so much among tenants, and a tenant's part among its
 * keys. Shares bind only where others want the same: as long as more than a tenth is free,
 * everybody gets what is asked for. The last tenth is for those who hold less than their equal
 * part, so that one alone gets all but a tenth, and whoever comes then gets something at once.
 * Thread-safe.
 */
final class Shares {
  private static final int RESERVED = 10; // the tenth

  private final String what;
  private final long capacity;
  private final Map<String, Holder> tenants = new HashMap<>();
  private long used;

  /**
   * @param what for messages, in the plural
   */
  Shares(String what, long capacity) {
    this.what = what;
    this.capacity = capacity;
  }

  /** The share that one tenant holds, key by key. */
  private static final class Holder {
    private final Map<String, Long> keys = new HashMap<>();
    private long used;
  }

  /** What one alone may take. */
  long most() {
    return capacity - capacity / RESERVED;
  }

  synchronized long used() {
    return used;
  }

  /**
   * Takes a part.
   *
   * @throws ContextureException {@code too_many_requests} if it is more than the party's share,
   *     {@code store_unavailable} if nothing is left for anybody
   */
  synchronized void take(ShareHolder by, long more) {
    if (more <= 0) {
      return;
    }
    if (more > most() - used) {
      if (!isBelowShare(by, more)) {
        throw refused(
            ErrorCode.TOO_MANY_REQUESTS,
            "this caller takes more than its share of the server's "
                + all()
                + "; try again when some of its requests have ended");
      }
      if (more > capacity - used) {
        throw refused(
            ErrorCode.STORE_UNAVAILABLE,
            "the server is busy: at most " + all() + " at the same time; try again later");
      }
    }
    add(by, more);
  }

  /** Takes one that was given away for a while, also if nothing is left. */
  synchronized void takeBack(ShareHolder by) {
    add(by, 1);
  }

  private void add(ShareHolder by, long more) {
    Holder holder = tenants.computeIfAbsent(by.tenant(), unused -> new Holder());
    holder.keys.merge(by.key(), more, Long::sum);
    holder.used += more;
    used += more;
  }

  private boolean isBelowShare(ShareHolder by, long more) {
    Holder holder = tenants.getOrDefault(by.tenant(), new Holder());
    int others = tenants.size() - (tenants.containsKey(by.tenant()) ? 1 : 0);
    int keys = holder.keys.size() + (holder.keys.containsKey(by.key()) ? 0 : 1);
    long held = holder.keys.getOrDefault(by.key(), 0L);
    if (others == 0) {
      return held + more <= capacity / Math.max(2, keys);
    }
    long share = Math.max(1, capacity / (others + 1));
    return holder.used + more <= share && held + more <= Math.max(1, share / keys);
  }

  private ContextureException refused(ErrorCode code, String message) {
    return new ContextureException(code, message, Map.of("field", what, "limit", capacity), null);
  }

  private String all() {
    return String.format(Locale.ROOT, "%,d %s", capacity, what);
  }

  /** Gives back what was taken. */
  synchronized void give(ShareHolder by, long less) {
    Holder holder = tenants.get(by.tenant());
    if (holder == null || less <= 0) {
      return;
    }
    holder.keys.computeIfPresent(by.key(), (key, held) -> held == less ? null : held - less);
    holder.used -= less;
    used -= less;
    if (holder.used == 0) {
      tenants.remove(by.tenant());
    }
  }
}

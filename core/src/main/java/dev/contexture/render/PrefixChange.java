package dev.contexture.render;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The first place where a stable stream differs from the one rendered before it, with the cause.
 *
 * @param index the first position that differs
 * @param cause what was done
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrefixChange(int index, Cause cause) {
  /** The cause of a change to a prefix that was already sent. */
  public enum Cause {
    HIDE,
    TTL,
    PREVIEW,
    COMPACTION,
    ARCHIVE,
    FILTER,
    PIN,
    /** The turns of the window or the reader changed. */
    OTHER;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

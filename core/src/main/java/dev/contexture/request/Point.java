package dev.contexture.request;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A place where the engine would like a prompt cache to end. The order is that of their worth when
 * there are not marks for all.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Point {
  /** The last stable block. */
  TAIL,
  /** The deepest mark of the request before, where no other is near enough to find it. */
  ANCHOR,
  /** The last system part that stays the same. */
  SYSTEM,
  /** The last block before the current turn. */
  PREV_TURN,
  /** The end of a round some rounds back. */
  PRE_TAIL;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

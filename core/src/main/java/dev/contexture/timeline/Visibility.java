package dev.contexture.timeline;

import dev.contexture.json.SendableText;
import java.time.Instant;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The record that a block is shown as something else. The newest record of a block counts; the
 * block itself never changes.
 *
 * @param seq the block
 * @param replacement what stands in its place; blank: nothing
 * @param reason who decided so
 * @param at when
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Visibility(long seq, String replacement, Reason reason, Instant at) {
  public Visibility {
    replacement = SendableText.of(replacement);
  }

  /** Why a block is shown as something else. */
  public enum Reason {
    /** A caller of the library asked for it. */
    API,
    /** The agent asked for it through a tool. */
    AGENT,
    /** The provider's cache had expired, so that old content could be dropped for nothing. */
    TTL,
    /** The block alone is larger than the budget. */
    OVERSIZE;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

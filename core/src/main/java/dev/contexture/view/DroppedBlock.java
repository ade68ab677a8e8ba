package dev.contexture.view;

import dev.contexture.timeline.TimelineEntry;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A block of the window that is not emitted, and why.
 *
 * @param entry the block
 * @param reason why it is left out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DroppedBlock(TimelineEntry entry, Reason reason) {
  /** The reason why a block is not emitted. */
  public enum Reason {
    /** A filter leaves its type out. */
    FILTERED,
    /** It is hidden without a replacement, or its call is. */
    HIDDEN,
    /** It has nothing to show. */
    EMPTY,
    /** Opaque content that the target cannot read. */
    UNREADABLE,
    /** It waits for the result of a call. */
    PENDING_CALL,
    /** A call that has no result. */
    UNANSWERED_CALL,
    /** A result that has no call. */
    ORPHAN_RESULT,
    /** It is pinned, but the pins before it take the share of the budget that pins have. */
    PIN_OVER_SHARE,
    /** An answer in whose place the turn ended with another one. */
    REPLACED;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

package dev.contexture.timeline;

import java.util.Locale;
import org.apiguardian.api.API;

/** The status of a turn. It starts open and is closed once, in one of four ways. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum TurnStatus {
  /** Being worked on. */
  OPEN,
  /** Closed with or without an answer, and kept in context. */
  COMPLETE,
  /** Closed before it was done, and kept in context. */
  INTERRUPTED,
  /** Taken out of context by its owner. */
  ABORTED,
  /** Left open by a process that died, and out of context. */
  INCOMPLETE;

  /** Whether a closed turn of this status stays in context. */
  public boolean kept() {
    return this == COMPLETE || this == INTERRUPTED;
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

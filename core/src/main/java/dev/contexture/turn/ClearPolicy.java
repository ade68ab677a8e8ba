package dev.contexture.turn;

import org.apiguardian.api.API;

/** The handling of a conversation whose memory a framework clears. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ClearPolicy {
  /** It is an error: nothing is removed by the way. */
  REFUSE,
  /** The conversation is erased beyond recovery. */
  ERASE,
  /** The conversation stays; only what this process keeps of it is let go. */
  KEEP
}

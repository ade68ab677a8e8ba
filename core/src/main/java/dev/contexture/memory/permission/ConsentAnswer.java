package dev.contexture.memory.permission;

import org.apiguardian.api.API;

/** The answer of a {@link ConsentBroker}. Closed. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface ConsentAnswer {
  /**
   * The write may go on.
   *
   * @param granter who approved, recorded with the commit
   */
  record Granted(Grant grant, Actor granter) implements ConsentAnswer {
    public static Granted once(Actor granter) {
      return new Granted(new Grant.Once(), granter);
    }
  }

  /** The write is refused. */
  record Denied(String reason) implements ConsentAnswer {}

  /** The broker gives no answer of its own; the host may still answer in time. */
  record Undecided() implements ConsentAnswer {}

  /** The extent of an approval. Closed. */
  sealed interface Grant {
    /** For the write that asked and its repetitions after a conflict; the next one asks again. */
    record Once() implements Grant {}
  }
}

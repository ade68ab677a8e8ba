package dev.contexture.memory.permission;

import org.apiguardian.api.API;

/**
 * Asks whoever must approve a write. Called without any lock or transaction, and from several
 * threads at once.
 *
 * <p>What it throws, and no answer within the limit, count as a refusal.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface ConsentBroker {
  /** Refuses at once; used unless another broker is configured. */
  ConsentBroker DENY =
      request -> new ConsentAnswer.Denied("no consent broker is configured to ask for approval");

  /** Leaves every answer to the host, which gives it by the id of the pending request. */
  ConsentBroker HOST = request -> new ConsentAnswer.Undecided();

  /** Asks and may wait; the caller bounds the time. */
  ConsentAnswer request(ConsentRequest request);
}

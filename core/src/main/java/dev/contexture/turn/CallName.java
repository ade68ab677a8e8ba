package dev.contexture.turn;

import dev.contexture.block.CallId;
import org.apiguardian.api.API;

/** A name by which a result says which call it answers. */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public sealed interface CallName {
  /** The engine's id, which recording the answer returned. */
  record Id(CallId id) implements CallName {}

  /** The provider's id, of a call of the answer that the same step brings. */
  record ProviderId(String id) implements CallName {}

  /** The place of the call among those of the answer that the same step brings, from 0. */
  record Index(int index) implements CallName {}
}

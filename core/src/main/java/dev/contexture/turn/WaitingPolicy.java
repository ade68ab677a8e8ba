package dev.contexture.turn;

import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/** The handling of calls of a turn that have no result when a request is built. */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public enum WaitingPolicy {
  /** It is not built ({@code calls_waiting}). */
  REFUSE,
  /** It answers them as cancelled first. */
  CANCEL,
  /** It leaves them out, with what belongs to them, and lists that as dropped. */
  OMIT;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The policy that a caller may ask for by this name; refusing needs none. */
  public static Optional<WaitingPolicy> named(String name) {
    return switch (name) {
      case "cancel" -> Optional.of(CANCEL);
      case "omit" -> Optional.of(OMIT);
      default -> Optional.empty();
    };
  }
}

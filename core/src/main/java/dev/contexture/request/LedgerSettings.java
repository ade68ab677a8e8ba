package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Settings for keeping and comparing the requests of conversations.
 *
 * @param mode what happens when a request does not repeat what was sent before
 * @param retention how long a record is kept
 * @param records how many a conversation keeps at most
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LedgerSettings(Mode mode, Duration retention, int records) {
  public static final LedgerSettings DEFAULT =
      new LedgerSettings(Mode.WARN, Duration.ofDays(30), 200);

  /** The handling of a request that does not repeat what was sent before. */
  public enum Mode {
    /** It is reported with the request. */
    WARN,
    /** The request is refused with {@code prefix_broken}. */
    STRICT,
    /** Nothing: requests are recorded and not compared. */
    OFF
  }

  public LedgerSettings {
    if (retention.isNegative() || retention.isZero() || records < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          "ledger",
          retention + ", " + records + " records",
          "a positive duration and at least 1 record");
    }
  }

  public LedgerSettings withMode(Mode next) {
    return new LedgerSettings(next, retention, records);
  }
}

package dev.contexture.crdt;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The root of everything this module refuses. The document is as it was before the call that threw.
 *
 * <p>The message says what failed, the actual against the allowed value, and what to do.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class CrdtException extends RuntimeException {
  private final CrdtErrorCode code;

  public CrdtException(CrdtErrorCode code, String message) {
    super(message);
    this.code = Objects.requireNonNull(code);
  }

  public CrdtErrorCode code() {
    return code;
  }

  /** Bytes that are not what a document writes. */
  public static CrdtException corrupt(String what) {
    return new CrdtException(
        CrdtErrorCode.CORRUPT_DATA, "cannot read document bytes: " + what + "; fetch them again");
  }

  /** A size beyond its limit. */
  public static CrdtException limit(String what, long actual, long allowed) {
    return new CrdtException(
        CrdtErrorCode.LIMIT_EXCEEDED, what + " is " + actual + "; allowed: at most " + allowed);
  }

  /** An argument out of its range. */
  public static CrdtException invalid(String what, Object actual, String allowed) {
    return new CrdtException(
        CrdtErrorCode.INVALID_ARGUMENT, what + " is " + actual + "; allowed: " + allowed);
  }

  /** A version or base whose history is gone. */
  public static CrdtException trimmed(String what) {
    return new CrdtException(
        CrdtErrorCode.HISTORY_TRIMMED,
        what + " lies below the trim point of this document; refresh and redo");
  }
}

package dev.contexture.mcp;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;

/** Turns refusals into texts for hosts: of a fault of the store, its code and no more. */
final class Refusals {
  private static final System.Logger LOG = System.getLogger(Refusals.class.getName());

  private Refusals() {}

  static String text(ContextureException refused) {
    String code = refused.code().wireName() + ": ";
    if (refused.code().httpStatus() < ErrorCode.INTERNAL.httpStatus()) {
      return code + refused.getMessage();
    }
    LOG.log(System.Logger.Level.WARNING, "a request of a host failed", refused);
    return code
        + (refused.retryable()
            ? "it cannot be done now; try again later"
            : "it cannot be done; the log of the server has more");
  }

  /** What nobody foresaw. */
  static String text(String what, RuntimeException defect) {
    LOG.log(System.Logger.Level.ERROR, what + " failed", defect);
    return ErrorCode.INTERNAL.wireName()
        + ": "
        + what
        + " failed in a way that nobody foresaw; the log of the server has more";
  }
}

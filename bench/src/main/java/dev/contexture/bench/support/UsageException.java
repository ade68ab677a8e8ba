package dev.contexture.bench.support;

/** A command line that is not understood. The message says what is wrong and what is allowed. */
public final class UsageException extends RuntimeException {
  public UsageException(String message) {
    super(message);
  }
}

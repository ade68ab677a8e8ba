package dev.contexture.bench;

/** A command line that is not understood. The message says what is wrong and what is allowed. */
final class UsageException extends RuntimeException {
  UsageException(String message) {
    super(message);
  }
}

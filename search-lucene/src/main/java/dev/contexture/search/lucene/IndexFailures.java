package dev.contexture.search.lucene;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.store.LockObtainFailedException;

/**
 * Tells a damaged index from a machine that lets nobody read or write: too many open files, a full
 * or read-only disk, missing rights, no memory to map. An index is rebuilt for damage only.
 */
final class IndexFailures {
  private static final int MAX_CAUSES = 16;
  private static final List<String> OF_THE_MACHINE =
      List.of(
          "too many open files",
          "no space left",
          "quota exceeded",
          "permission denied",
          "access is denied",
          "read-only file system",
          "input/output error",
          "cannot allocate memory",
          "map failed",
          "stale file handle");

  private IndexFailures() {}

  /** Whether the machine failed, not the index: trying again later may help. */
  static boolean isOfTheMachine(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (isOne(cause) || Arrays.stream(cause.getSuppressed()).anyMatch(IndexFailures::isOne)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOne(Throwable cause) {
    if (cause instanceof LockObtainFailedException
        || cause instanceof ClosedByInterruptException
        || (cause instanceof FileSystemException && !(cause instanceof NoSuchFileException))) {
      return true;
    }
    String said = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    return cause instanceof IOException && OF_THE_MACHINE.stream().anyMatch(said::contains);
  }
}

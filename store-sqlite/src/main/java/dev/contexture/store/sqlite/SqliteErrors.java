package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.RowChecksum;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Failures of SQLite and of files, as what callers can do about them. */
final class SqliteErrors {
  private static final int PRIMARY = 0xff; // the lower byte of an extended result code

  private static final long LEAST_ROOM = 64 << 10; // what SQLite needs to open a log and its index
  private static final String NO_SPACE = "No space left";

  private SqliteErrors() {}

  static ContextureException of(SQLException failure, Path file) {
    int code = code(failure);
    if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return RowChecksum.damaged("database", file.toString(), "is malformed", failure);
    }
    if (code == SQLiteErrorCode.SQLITE_READONLY.code || code == SQLiteErrorCode.SQLITE_PERM.code) {
      return readOnly(file, failure);
    }
    boolean files =
        code == SQLiteErrorCode.SQLITE_CANTOPEN.code || code == SQLiteErrorCode.SQLITE_IOERR.code;
    if (code == SQLiteErrorCode.SQLITE_FULL.code || (files && isFull(file))) {
      return full(file, failure);
    }
    if (files && lacksDescriptors(file)) {
      return tooManyFiles(file, failure);
    }
    if (code == SQLiteErrorCode.SQLITE_CANTOPEN.code && isReadOnly(file)) {
      return readOnly(file, failure);
    }
    return failed(
        ErrorCode.STORE_UNAVAILABLE,
        file + " cannot be used: " + failure.getMessage() + "; nothing was changed, try again",
        file,
        failure);
  }

  /**
   * What the system says of a file that is not SQLite's.
   *
   * @param what was not possible
   */
  static ContextureException of(IOException failure, Path path, String what) {
    if (isFull(path) || String.valueOf(failure.getMessage()).contains(NO_SPACE)) {
      return full(path, failure);
    }
    if (lacksDescriptors(path)) {
      return tooManyFiles(path, failure);
    }
    return failed(
        ErrorCode.STORE_READ_ONLY,
        what + ": " + failure + "; give this user write permission",
        path,
        failure);
  }

  static ContextureException full(Path file, @Nullable Exception failure) {
    return failed(
        ErrorCode.STORE_FULL, "no room left for " + file + "; free disk space", file, failure);
  }

  static ContextureException readOnly(Path file, @Nullable Exception failure) {
    return failed(
        ErrorCode.STORE_READ_ONLY,
        file
            + " may not be written by this user; change its permissions, or copy the directory to"
            + " where it may be written",
        file,
        failure);
  }

  private static ContextureException tooManyFiles(Path file, Exception failure) {
    return failed(
        ErrorCode.STORE_UNAVAILABLE,
        "this process has as many files and connections open as it may, so that "
            + file
            + " cannot be opened; it is not damaged: raise the limit (ulimit -n) or close"
            + " connections, then try again",
        file,
        failure);
  }

  private static boolean isFull(Path path) {
    try {
      FileStore disk = Files.getFileStore(existing(path));
      return disk.getTotalSpace() > 0 && disk.getUsableSpace() < LEAST_ROOM; // /proc has neither
    } catch (IOException unknown) {
      return false;
    }
  }

  /**
   * Whether not even a directory can be opened that is there and may be read. What the system calls
   * that depends on its language.
   */
  private static boolean lacksDescriptors(Path path) {
    try (DirectoryStream<Path> opened = Files.newDirectoryStream(existing(path))) {
      return opened == null;
    } catch (AccessDeniedException | NoSuchFileException | NotDirectoryException other) {
      return false;
    } catch (IOException exhausted) {
      return true;
    }
  }

  private static boolean isReadOnly(Path file) {
    return Files.exists(file) && !Files.isWritable(existing(file));
  }

  /** The nearest directory that exists. */
  private static Path existing(Path path) {
    Path candidate = path.toAbsolutePath();
    while (!Files.isDirectory(candidate) && candidate.getParent() != null) {
      candidate = candidate.getParent();
    }
    return candidate;
  }

  /** Whether another process had what was needed, for as long as this one waited. */
  static boolean isBusy(SQLException failure) {
    int code = code(failure);
    return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code;
  }

  private static int code(SQLException failure) {
    return failure instanceof SQLiteException known
        ? known.getResultCode().code & PRIMARY
        : failure.getErrorCode() & PRIMARY;
  }

  private static ContextureException failed(
      ErrorCode code, String message, Path file, @Nullable Exception cause) {
    return new ContextureException(code, message, Map.of("file", file.toString()), cause);
  }
}

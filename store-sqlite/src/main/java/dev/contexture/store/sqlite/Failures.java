package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite says, as what callers can do about it. */
final class Failures {
  private static final int PRIMARY = 0xff; // the lower byte of an extended result code

  private Failures() {}

  static ContextureException of(SQLException failure, Path file) {
    int code =
        failure instanceof SQLiteException known
            ? known.getResultCode().code & PRIMARY
            : failure.getErrorCode() & PRIMARY;
    if (code == SQLiteErrorCode.SQLITE_FULL.code) {
      return failed(
          ErrorCode.STORE_FULL, "no room left for " + file + "; free disk space", file, failure);
    }
    if (code == SQLiteErrorCode.SQLITE_READONLY.code || code == SQLiteErrorCode.SQLITE_PERM.code) {
      return failed(
          ErrorCode.STORE_READ_ONLY,
          file + " may not be written by this user; change its permissions",
          file,
          failure);
    }
    if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return Stamp.damaged("database", file.toString(), "is malformed", failure);
    }
    return failed(
        ErrorCode.STORE_UNAVAILABLE,
        file + " cannot be used: " + failure.getMessage() + "; nothing was changed, try again",
        file,
        failure);
  }

  private static ContextureException failed(
      ErrorCode code, String message, Path file, SQLException cause) {
    return new ContextureException(code, message, Map.of("file", file.toString()), cause);
  }
}

package dev.contexture.store.postgres;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.RowChecksum;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Failures of PostgreSQL, as what callers can do about them. */
final class PostgresErrors {
  private static final Set<String> COLLISIONS =
      Set.of(
          "40001", // serialization_failure
          "40P01", // deadlock_detected
          "23505", // unique_violation: another transaction was first
          "42P07"); // duplicate_table: the same of two that make the tables
  private static final Set<String> LOST =
      Set.of(
          "57P01", // admin_shutdown
          "57P02", // crash_shutdown
          "57P03", // cannot_connect_now
          "25P03"); // idle_in_transaction_session_timeout

  private PostgresErrors() {}

  /** Whether it met another transaction, so that all of it is undone and may be done again. */
  static boolean isCollision(SQLException failure) {
    return COLLISIONS.contains(state(failure));
  }

  /** Whether the connection is gone. */
  static boolean isLost(SQLException failure) {
    return state(failure).startsWith("08") || LOST.contains(state(failure));
  }

  /** Whether there was no connection to be had within the time for it. */
  static boolean isUnreachable(SQLException failure) {
    return failure instanceof SQLTransientConnectionException;
  }

  /**
   * What a caller is told.
   *
   * @param address of the database
   */
  static ContextureException of(SQLException failure, String address) {
    String state = state(failure);
    if (state.startsWith("XX00") && !state.equals("XX000")) { // data or index corrupted
      return RowChecksum.damaged("database", address, "is damaged", failure);
    }
    if (state.equals("25006")) { // read_only_sql_transaction
      return failed(
          ErrorCode.STORE_READ_ONLY,
          address + " takes no writes: it is a replica, or set to read only; give the primary",
          failure);
    }
    if (state.equals("53100")) { // disk_full
      return failed(
          ErrorCode.STORE_FULL, address + " has no room left; free disk space there", failure);
    }
    return failed(ErrorCode.STORE_UNAVAILABLE, address + " " + why(failure, state), failure);
  }

  private static String why(SQLException failure, String state) {
    if (state.startsWith("28")) {
      return "refused the login: " + failure.getMessage() + "; check user and password";
    }
    if (state.equals("42501")) { // insufficient_privilege
      return "does not permit it: "
          + failure.getMessage()
          + "; grant the role what docs/postgresql.md lists";
    }
    if (isLost(failure) || isUnreachable(failure)) {
      return "cannot be reached: " + root(failure) + "; nothing was changed, try again";
    }
    if (isCollision(failure) || state.equals("55P03") || state.equals("57014")) {
      return "is busy: " + failure.getMessage() + "; nothing was changed, try again";
    }
    return "cannot be used: " + failure.getMessage() + "; nothing was changed, try again";
  }

  /** The pool reports that it waited in vain, and why as its cause. */
  private static @Nullable String root(SQLException failure) {
    Throwable cause = failure;
    while (cause.getCause() instanceof SQLException deeper) {
      cause = deeper;
    }
    return cause.getMessage();
  }

  /** A commit was sent, and nobody can say whether it was done. */
  static ContextureException unknown(SQLException failure, String address) {
    return failed(
        ErrorCode.STORE_UNAVAILABLE,
        address
            + " was lost while a write was committed, and does not say what became of it: read it"
            + " back, or try again with the same ids",
        failure);
  }

  static ContextureException failed(ErrorCode code, String message, @Nullable Exception cause) {
    return new ContextureException(code, message, Map.of(), cause);
  }

  private static String state(SQLException failure) {
    String state = failure.getSQLState();
    return state == null ? "" : state;
  }
}

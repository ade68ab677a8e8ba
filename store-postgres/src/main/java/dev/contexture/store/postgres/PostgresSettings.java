package dev.contexture.store.postgres;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The address of a database, and the time limits of its work.
 *
 * @param url as {@code jdbc:postgresql://host/database}
 * @param user null: the one of the URL, or of this process
 * @param password null: the one of the URL, or none
 * @param connections at most so many at once
 * @param statementTimeout how long one statement may take
 * @param lockTimeout how long a statement may wait for other transactions
 * @param connectTimeout how long a call may wait for a connection
 * @param notices whether processes tell each other at once what they wrote ({@code NOTIFY}), each
 *     with two more connections; else they look every second
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PostgresSettings(
    String url,
    @Nullable String user,
    @Nullable String password,
    int connections,
    Duration statementTimeout,
    Duration lockTimeout,
    Duration connectTimeout,
    boolean notices) {
  /** What every address begins with. */
  public static final String PREFIX = "jdbc:postgresql:";

  /** How many connections there are if nobody says. */
  public static final int DEFAULT_CONNECTIONS = 16;

  private static final int MAX_CONNECTIONS = 1_000;

  public PostgresSettings {
    if (!url.startsWith(PREFIX)) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          "the JDBC URL does not begin with " + PREFIX + "; give one as " + PREFIX + "//host/name");
    }
    if (connections < 1 || connections > MAX_CONNECTIONS) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          connections + " connections; give 1 to " + MAX_CONNECTIONS,
          Map.of("connections", connections),
          null);
    }
  }

  /** A database, with all else as it is best for most. */
  public static PostgresSettings of(String url) {
    return new PostgresSettings(
        url,
        null,
        null,
        DEFAULT_CONNECTIONS,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        true);
  }

  /** The same for a user. */
  public PostgresSettings login(@Nullable String user, @Nullable String password) {
    return new PostgresSettings(
        url, user, password, connections, statementTimeout, lockTimeout, connectTimeout, notices);
  }

  /** The same with at most so many connections. */
  public PostgresSettings connections(int connections) {
    return new PostgresSettings(
        url, user, password, connections, statementTimeout, lockTimeout, connectTimeout, notices);
  }

  /** The same with other limits of time. */
  public PostgresSettings timeouts(Duration statement, Duration lock, Duration connect) {
    return new PostgresSettings(
        url, user, password, connections, statement, lock, connect, notices);
  }

  /** The same with or without notices. */
  public PostgresSettings notices(boolean notices) {
    return new PostgresSettings(
        url, user, password, connections, statementTimeout, lockTimeout, connectTimeout, notices);
  }

  /** Host, port and name of the database, without what may be a secret. */
  public String address() {
    String rest = url.substring(PREFIX.length());
    int options = rest.indexOf('?');
    String place = options < 0 ? rest : rest.substring(0, options);
    return place.startsWith("//") ? place.substring(2) : place;
  }

  /** The address alone: a URL and a password may be secret. */
  @Override
  public String toString() {
    return "PostgresSettings[" + address() + "]";
  }
}

package dev.contexture.cli.support;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.postgres.PostgresSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a PostgreSQL database. Confined to one thread. */
public final class DatabaseFlags {
  private static final String ON = "on";
  private static final String OFF = "off";

  @Option(
      names = "--jdbc-url",
      paramLabel = "URL",
      description = "The database, with --store postgres: jdbc:postgresql://HOST/NAME.")
  private @Nullable String url;

  @Option(
      names = "--jdbc-user",
      paramLabel = "NAME",
      description =
          "The role to log in as (default: that of the URL, or the user of this process).")
  private @Nullable String user;

  @Option(
      names = "--jdbc-password",
      paramLabel = "TEXT",
      description =
          "Its password; better given as CONTEXTURE_JDBC_PASSWORD, which others do not see.")
  private @Nullable String password;

  @Option(
      names = "--jdbc-connections",
      paramLabel = "N",
      defaultValue = "" + PostgresSettings.DEFAULT_CONNECTIONS,
      description = "At most so many connections at once (default: ${DEFAULT-VALUE}).")
  private int connections = PostgresSettings.DEFAULT_CONNECTIONS;

  @Option(
      names = "--jdbc-notify",
      paramLabel = "MODE",
      defaultValue = ON,
      description =
          "on: servers tell each other at once what they wrote, with two more connections each;"
              + " off: each looks every second (default: ${DEFAULT-VALUE}).")
  private String notices = ON;

  /** Whether a database is named. */
  public boolean isGiven() {
    return url != null;
  }

  /**
   * The database that is named.
   *
   * @throws ContextureException {@code invalid_argument} if none is
   */
  public PostgresSettings settings() {
    String given = url;
    if (given == null || !given.startsWith(PostgresSettings.PREFIX)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--jdbc-url",
          given == null ? "" : "of another kind",
          "the address of a database, such as "
              + PostgresSettings.PREFIX
              + "//127.0.0.1/contexture");
    }
    if (!notices.equals(ON) && !notices.equals(OFF)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--jdbc-notify", notices, ON + " or " + OFF);
    }
    return PostgresSettings.of(given)
        .login(user, password)
        .connections(connections)
        .notices(notices.equals(ON));
  }
}

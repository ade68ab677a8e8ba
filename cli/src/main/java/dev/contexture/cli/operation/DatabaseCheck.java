package dev.contexture.cli.operation;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.CheckResult;
import dev.contexture.error.ContextureException;
import dev.contexture.store.postgres.PostgresInspection;
import dev.contexture.store.postgres.PostgresSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Looks at a PostgreSQL database, and changes nothing. Immutable. */
record DatabaseCheck(PostgresSettings database, boolean counts) {
  private static final String STORE = "store";
  private static final String SCHEMA = "schema";
  private static final Duration LONG = Duration.ofMinutes(1);

  List<CheckResult> run() {
    String where = "the PostgreSQL database " + database.address();
    PostgresInspection found;
    try {
      found = PostgresInspection.of(database, counts);
    } catch (ContextureException refused) {
      return List.of(
          CheckResult.wrong(
              STORE,
              where + ": " + refused.getMessage(),
              "check --jdbc-url and --jdbc-user, and the database"));
    }
    List<CheckResult> results = new ArrayList<>();
    results.add(
        CheckResult.ok(
            STORE,
            where
                + "; "
                + Printer.count(found.nodes(), "server is", "servers are")
                + " at work on it"));
    results.add(schema(found));
    results.add(role(found));
    results.add(outbox(found));
    results.add(writer(found.oldestWriter()));
    return results;
  }

  private static CheckResult schema(PostgresInspection found) {
    return found.schema() == found.newestSchema()
        ? CheckResult.ok(SCHEMA, found.schema() + ", the newest")
        : CheckResult.note(
            SCHEMA,
            found.schema() + "; this version writes " + found.newestSchema(),
            "the next server that starts brings it there; make a backup before");
  }

  private static CheckResult role(PostgresInspection found) {
    return found.roleBound()
        ? CheckResult.ok("role", found.role() + " is bound by row-level security")
        : CheckResult.wrong(
            "role",
            found.role() + " is a superuser or has BYPASSRLS: no server starts as it",
            "log in as a role that owns the database and has neither");
  }

  private static CheckResult outbox(PostgresInspection found) {
    String entries =
        found.outbox() < 0 ? "" : Printer.count(found.outbox(), "entry of ", "entries of ");
    return CheckResult.ok(
        "outbox",
        entries
            + Printer.count(found.projects(), "project", "projects")
            + ": it reaches back to the first one, so that an index can be built of it");
  }

  private static CheckResult writer(Duration oldest) {
    String what =
        String.format(
            Locale.ROOT, "the oldest one that writes is open for %d s", oldest.toSeconds());
    return oldest.compareTo(LONG) < 0
        ? CheckResult.ok("writes", what)
        : CheckResult.note(
            "writes", what, "end it: indexes and events of memory wait for it (pg_stat_activity)");
  }
}

package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A removal in steps, between which others write. A row of {@code erasures} names it until the last
 * step, so that whoever opens the store after a process died in between goes on.
 *
 * @param subject the user or agent; empty for a project
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record EraseJob(long id, Kind kind, Scope scope, String subject) {
  /** The kind of thing that a job removes. */
  public enum Kind {
    USER,
    AGENT,
    PROJECT
  }

  /**
   * The result of a step.
   *
   * @param last whether nothing is left
   * @param counts how many rows went, by kind
   */
  public record Step(boolean last, Map<String, Long> counts) {}

  /** Notes what is to be removed; from then on it will be, whatever happens. */
  public static EraseJob begin(Db db, Kind kind, Scope scope, String subject) throws SQLException {
    long id =
        db.sql(
                "INSERT INTO erasures (kind, tenant, project, subject) VALUES (?, ?, ?, ?)"
                    + " RETURNING id")
            .insert(kind.name(), scope, subject);
    return new EraseJob(id, kind, scope, subject);
  }

  /** The jobs that are not finished. */
  public static List<EraseJob> leftOver(Db db) throws SQLException {
    return db.sql("SELECT id, kind, tenant, project, subject FROM erasures WHERE kind <> 'LOG'")
        .list(EraseJob::read);
  }

  private static EraseJob read(ResultSet row) throws SQLException {
    return new EraseJob(
        row.getLong(1),
        Kind.valueOf(row.getString(2)),
        Scope.of(row.getString(3), row.getString(4)),
        row.getString(5));
  }

  /** Removes the next part. */
  public Step step(Db db) throws SQLException {
    String ours = "SELECT 1 FROM erasures WHERE id = ?" + db.dialect().forUpdate();
    if (!db.sql(ours).exists(id)) { // another process took the last step
      return new Step(true, Map.of());
    }
    RowEraser eraser = new RowEraser(db);
    boolean last =
        switch (kind) {
          case USER -> eraser.userStep(scope.user(subject));
          case AGENT -> eraser.agentStep(scope.agent(subject));
          case PROJECT -> eraser.projectStep(scope);
        };
    if (last) {
      db.sql("DELETE FROM erasures WHERE id = ?").update(id);
    }
    return new Step(last, eraser.counts());
  }
}

package dev.contexture.store.jdbc;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.Summary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads summaries; the newest first. */
final class SummaryReads {
  private static final String ORDERED =
      "SELECT summary, cut_seq, withdrawn, body, stamp FROM summaries WHERE conv = ?%s"
          + " ORDER BY cut_seq DESC, created_at DESC, id DESC LIMIT ? OFFSET ?";
  private static final String ALL = ORDERED.replace("%s", "");
  private static final String STANDING = ORDERED.replace("%s", " AND withdrawn = 0");

  private SummaryReads() {}

  static List<Summary> all(Db db, long conv) throws SQLException {
    return db.sql(ALL).with(conv, Integer.MAX_VALUE, 0).list(SummaryReads::read);
  }

  /** The newest one that is neither withdrawn nor covers an excluded turn. */
  static Optional<Summary> newestUsable(Db db, long conv) throws SQLException {
    Set<TurnId> excluded =
        new HashSet<>(
            db.sql("SELECT turn FROM turns WHERE conv = ? AND status >= 3")
                .with(conv)
                .list(row -> TurnId.of(row.getString(1))));
    for (int place = 0; ; place++) {
      Optional<Summary> next = db.sql(STANDING).with(conv, 1, place).one(SummaryReads::read);
      if (next.isEmpty()
          || excluded.isEmpty()
          || Collections.disjoint(next.get().coveredTurns(), excluded)) {
        return next;
      }
    }
  }

  private static Summary read(ResultSet row) throws SQLException {
    String id = row.getString(1);
    String body = RowChecksum.read(row, 4, id, "summary", id);
    return RowCodec.summary(id, row.getLong(2), row.getInt(3) != 0, body);
  }
}

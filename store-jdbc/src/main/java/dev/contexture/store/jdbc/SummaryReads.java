package dev.contexture.store.jdbc;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.Summary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads summaries; the newest first. Confined to one thread. */
final class SummaryReads {
  private static final String COLUMNS = "SELECT summary, cut_seq, withdrawn, body, stamp";
  private static final String OF = " FROM summaries WHERE conv = ?";
  private static final String BEHIND =
      " AND (cut_seq, created_at, id) < (SELECT cut_seq, created_at, id" + OF + " AND summary = ?)";
  private static final String NEWEST_FIRST = " ORDER BY cut_seq DESC, created_at DESC, id DESC";

  private final Db db;
  private final long conv;

  SummaryReads(Db db, long conv) {
    this.db = db;
    this.conv = conv;
  }

  /** A row, before it is known which turns its ranges stand for. */
  private record Raw(String id, long cutSeq, boolean withdrawn, JsonObject body) {
    Optional<JsonArray> ranges() {
      return body.array(RowCodec.COVERED);
    }

    Summary summary(CoveredTurns turns) {
      JsonObject kept = body.object("meta").orElse(JsonObject.EMPTY);
      JsonObject meta = ranges().map(ranges -> turns.meta(ranges, kept)).orElse(kept);
      return RowCodec.summary(id, cutSeq, withdrawn, body, meta);
    }
  }

  List<Summary> all() throws SQLException {
    return page(null, Integer.MAX_VALUE);
  }

  /** Those behind one of them; an unknown one starts again. */
  List<Summary> page(@Nullable String before, int limit) throws SQLException {
    boolean first =
        before == null || !db.sql("SELECT 1" + OF + " AND summary = ?").exists(conv, before);
    return summaries(
        first
            ? db.sql(COLUMNS + OF + NEWEST_FIRST + " LIMIT ?")
                .with(conv, limit)
                .list(SummaryReads::raw)
            : db.sql(COLUMNS + OF + BEHIND + NEWEST_FIRST + " LIMIT ?")
                .with(conv, conv, before, limit)
                .list(SummaryReads::raw));
  }

  Optional<Summary> one(String id) throws SQLException {
    return summaries(
            db.sql(COLUMNS + OF + " AND summary = ?").with(conv, id).list(SummaryReads::raw))
        .stream()
        .findFirst();
  }

  /** The newest one that is neither withdrawn nor covers an excluded turn. */
  Optional<Summary> newestUsable() throws SQLException {
    Set<TurnId> excluded =
        new HashSet<>(
            db.sql("SELECT turn FROM turns WHERE conv = ? AND status >= 3")
                .with(conv)
                .list(row -> TurnId.of(row.getString(1))));
    for (int place = 0; ; place++) {
      Optional<Summary> next =
          summaries(
                  db.sql(COLUMNS + OF + " AND withdrawn = 0" + NEWEST_FIRST + " LIMIT 1 OFFSET ?")
                      .with(conv, place)
                      .list(SummaryReads::raw))
              .stream()
              .findFirst();
      if (next.isEmpty()
          || excluded.isEmpty()
          || Collections.disjoint(next.get().coveredTurns(), excluded)) {
        return next;
      }
    }
  }

  private List<Summary> summaries(List<Raw> rows) throws SQLException {
    long from = Long.MAX_VALUE;
    long to = 0;
    for (Raw row : rows) {
      JsonArray ranges = row.ranges().orElse(null);
      if (ranges != null) {
        from = Math.min(from, CoveredTurns.first(ranges));
        to = Math.max(to, CoveredTurns.last(ranges));
      }
    }
    CoveredTurns turns = CoveredTurns.between(db, conv, from, to);
    List<Summary> summaries = new ArrayList<>();
    rows.forEach(row -> summaries.add(row.summary(turns)));
    return summaries;
  }

  private static Raw raw(ResultSet row) throws SQLException {
    String id = row.getString(1);
    String body = RowChecksum.read(row, 4, id, "summary", id);
    return new Raw(id, row.getLong(2), row.getInt(3) != 0, RowCodec.parse(body));
  }
}

package dev.contexture.search.postgres;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.SearchContentType;
import dev.contexture.store.jdbc.Db;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers a query by meaning, in one transaction: by the extension pgvector where the database has
 * it. Without it vectors come here to be compared, so that only the newest {@link #MOST_HERE} that
 * the filter leaves count.
 */
final class VectorSearch {
  private static final int MOST_HERE = 20_000;
  private static final int LEAST_CANDIDATES = 160;
  private static final int PIECES_PER_HIT = 2;

  /** What an entry loses for having e times as many passages: more of them hit by chance. */
  private static final double LOSS = 0.03;

  private final Db db;
  private final Scope scope;
  private final boolean extension;

  /**
   * @param extension whether the database has pgvector
   */
  VectorSearch(Db db, Scope scope, boolean extension) {
    this.db = db;
    this.scope = scope;
    this.extension = extension;
  }

  /** Whether a database has pgvector, where this role finds it. */
  static boolean isThere(Db db) throws SQLException {
    return db.sql("SELECT 1 WHERE to_regtype('vector') IS NOT NULL").exists();
  }

  List<IndexHit> find(float[] vector, IndexFilter filter, int limit) throws SQLException {
    Map<String, IndexHit> best = new HashMap<>();
    for (int depth = Math.max(LEAST_CANDIDATES, limit * PIECES_PER_HIT); ; depth *= 4) {
      int found = extension ? nearest(best, vector, filter, depth) : here(best, vector, filter);
      if (!extension || best.size() >= limit || found < depth) {
        return BestHits.of(best.values(), limit);
      }
    }
  }

  private int nearest(Map<String, IndexHit> best, float[] vector, IndexFilter filter, int depth)
      throws SQLException {
    int[] found = {0};
    SqlText.of(
            "SELECT e.id, e.type, e.hash, e.pieces, CASE WHEN cardinality(v.vector) = ?"
                + " THEN -(v.vector::vector <#> ?::vector) END AS cosine",
            vector.length,
            vector)
        .add(rows(vector, filter))
        .add(" ORDER BY cosine DESC NULLS LAST LIMIT ?", depth)
        .each(
            db,
            row -> {
              found[0]++;
              return keep(best, row, row.getDouble(5));
            });
    return found[0];
  }

  private int here(Map<String, IndexHit> best, float[] vector, IndexFilter filter)
      throws SQLException {
    SqlText.of("SELECT e.id, e.type, e.hash, e.pieces, v.vector")
        .add(rows(vector, filter))
        .add(" ORDER BY e.at DESC, e.id LIMIT ?", MOST_HERE)
        .each(db, row -> keep(best, row, cosine(vector, row.getArray(5))));
    return best.size();
  }

  private SqlText rows(float[] vector, IndexFilter filter) {
    return SqlText.of(
            " FROM search_vectors v JOIN search_entries e ON e.tenant = v.tenant"
                + " AND e.project = v.project AND e.part = 'v' AND e.id = v.id"
                + " WHERE v.tenant = ? AND v.project = ? AND cardinality(v.vector) = ?",
            scope.tenant(),
            scope.project(),
            vector.length)
        .add(FilterSql.of(filter));
  }

  private static double cosine(float[] vector, @Nullable Array other) throws SQLException {
    Object[] numbers = other == null ? new Object[0] : (Object[]) other.getArray();
    double sum = 0;
    for (int i = 0; i < Math.min(vector.length, numbers.length); i++) {
      sum += vector[i] * (Float) numbers[i];
    }
    return sum;
  }

  private static boolean keep(Map<String, IndexHit> best, ResultSet row, double cosine)
      throws SQLException {
    double score = cosine - LOSS * Math.log(Math.max(1, row.getInt(4)));
    String id = row.getString(1);
    IndexHit known = best.get(id);
    if (known != null && known.score() >= score) {
      return false;
    }
    SearchContentType type = SearchContentType.valueOf(row.getString(2));
    best.put(id, new IndexHit(id, type, score, row.getString(3)));
    return true;
  }
}

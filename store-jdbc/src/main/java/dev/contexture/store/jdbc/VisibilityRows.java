package dev.contexture.store.jdbc;

import dev.contexture.timeline.Visibility;
import dev.contexture.timeline.VisibilityRecords;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The visibility records of a conversation: one row for each block, which holds all records of it.
 * Those of a summary that was withdrawn are passed over. Confined to one thread and one
 * transaction.
 */
final class VisibilityRows {
  private final Db db;
  private final ConversationState state;

  VisibilityRows(Db db, ConversationState state) {
    this.db = db;
    this.state = state;
  }

  /** Adds records to those of their blocks. */
  void put(List<Visibility> records, long version) throws SQLException {
    for (Visibility record : records) {
      long key = state.key(record.seq());
      List<Visibility> known =
          record.isForAllViews()
              ? List.of()
              : read(record.seq(), record.seq()).getOrDefault(record.seq(), List.of());
      String body = RowCodec.write(VisibilityRecords.joined(known, record));
      db.sql(
              "INSERT INTO visibility (id, version, body, stamp) VALUES (?, ?, ?, ?) ON CONFLICT "
                  + db.dialect().key("id")
                  + " DO UPDATE SET version = excluded.version, body = excluded.body, stamp ="
                  + " excluded.stamp")
          .update(key, version, body, RowChecksum.of(key, RowChecksum.crc(body)));
    }
  }

  void drop(Set<Long> seqs, long version) throws SQLException {
    for (long seq : seqs) {
      long key = state.key(seq);
      db.sql("UPDATE visibility SET body = '', version = ?, stamp = ? WHERE id = ?")
          .update(version, RowChecksum.of(key, RowChecksum.crc("")), key);
    }
  }

  /** The records of the blocks of a range, by block. */
  Map<Long, List<Visibility>> read(long from, long to) throws SQLException {
    Map<Long, List<Visibility>> found = new HashMap<>();
    for (List<Visibility> ofBlock : rows(from, to)) {
      found.put(ofBlock.getFirst().seq(), ofBlock);
    }
    boolean withSummary =
        found.values().stream()
            .flatMap(Collection::stream)
            .anyMatch(record -> record.summaryId() != null);
    if (withSummary) {
      Set<String> withdrawn = withdrawnSummaries();
      found.replaceAll((seq, records) -> standing(records, withdrawn));
      found.values().removeIf(List::isEmpty);
    }
    return found;
  }

  private List<List<Visibility>> rows(long from, long to) throws SQLException {
    return db.sql(
            "SELECT id, body, stamp FROM visibility WHERE id >= ? AND id <= ? AND body <> ''"
                + " ORDER BY id")
        .with(state.key(from), state.key(to))
        .list(
            row -> {
              long seq = ConversationState.seq(row.getLong(1));
              String body =
                  RowChecksum.read(
                      row, 2, row.getLong(1), "visibility of block", Long.toString(seq));
              return RowCodec.visibility(seq, body);
            });
  }

  private static List<Visibility> standing(List<Visibility> records, Set<String> withdrawn) {
    return records.stream()
        .filter(record -> record.summaryId() == null || !withdrawn.contains(record.summaryId()))
        .toList();
  }

  Set<String> withdrawnSummaries() throws SQLException {
    return new HashSet<>(
        db.sql("SELECT summary FROM summaries WHERE conv = ? AND withdrawn = 1")
            .with(state.id)
            .list(row -> row.getString(1)));
  }
}

package dev.contexture.store.jdbc;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Summary;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The turns that summaries cover, kept as ranges. A summary covers nearly all turns before its cut,
 * so that a list of them in each would grow with the square of the conversation. A range {@code
 * [from, to]} stands for the turns whose first block has one of these numbers: blocks are only
 * appended, and a summary goes with each turn that it covers, so that it always stands for the same
 * turns. A list that ranges cannot tell exactly is kept as it is. Confined to one thread.
 */
final class CoveredTurns {
  private static final String META_KEY = "covered_turn_ids";

  private final NavigableMap<Long, JsonValue> byFirstSeq;

  private CoveredTurns(NavigableMap<Long, JsonValue> byFirstSeq) {
    this.byFirstSeq = byFirstSeq;
  }

  /** The turns that begin from one number to another. */
  static CoveredTurns between(Db db, long conv, long fromSeq, long toSeq) throws SQLException {
    NavigableMap<Long, JsonValue> turns = new TreeMap<>();
    List<Map.Entry<Long, String>> rows =
        db.sql(
                "SELECT first_seq, turn FROM turns WHERE conv = ? AND first_seq > 0"
                    + " AND first_seq >= ? AND first_seq <= ? ORDER BY first_seq")
            .with(conv, fromSeq, toSeq)
            .list(row -> Map.entry(row.getLong(1), row.getString(2)));
    rows.forEach(row -> turns.put(row.getKey(), new JsonString(row.getValue())));
    return new CoveredTurns(turns);
  }

  /** The ranges of a summary that is to be written; empty: its list is kept. */
  static Optional<JsonArray> ranges(Db db, long conv, Summary summary) throws SQLException {
    JsonObject meta = summary.meta();
    List<JsonValue> covered = meta.array(META_KEY).map(JsonArray::items).orElse(List.of());
    if (covered.isEmpty() || !meta.keys().iterator().next().equals(META_KEY)) {
      return Optional.empty();
    }
    CoveredTurns turns = between(db, conv, 1, summary.cutSeq());
    JsonArray ranges = turns.ranges(covered);
    return turns.in(ranges).equals(covered) ? Optional.of(ranges) : Optional.empty();
  }

  private JsonArray ranges(List<JsonValue> covered) {
    List<JsonValue> ranges = new ArrayList<>();
    long from = 0;
    long to = 0;
    int next = 0;
    for (Map.Entry<Long, JsonValue> turn : byFirstSeq.entrySet()) {
      boolean included = next < covered.size() && covered.get(next).equals(turn.getValue());
      if (included) {
        next++;
        from = from == 0 ? turn.getKey() : from;
        to = turn.getKey();
      } else if (from > 0) {
        ranges.add(range(from, to));
        from = 0;
      }
    }
    if (from > 0) {
      ranges.add(range(from, to));
    }
    return new JsonArray(ranges);
  }

  private static JsonArray range(long from, long to) {
    return new JsonArray(List.of(JsonValue.of(from), JsonValue.of(to)));
  }

  private List<JsonValue> in(JsonArray ranges) {
    List<JsonValue> turns = new ArrayList<>();
    for (JsonValue range : ranges.items()) {
      turns.addAll(byFirstSeq.subMap(end(range, 0), true, end(range, 1), true).values());
    }
    return turns;
  }

  /** The metadata of a summary with the turns that its ranges stand for. */
  JsonObject meta(JsonArray ranges, JsonObject kept) {
    return JsonObject.builder().put(META_KEY, new JsonArray(in(ranges))).putAll(kept).build();
  }

  /** The metadata that is kept beside ranges. */
  static JsonObject without(JsonObject meta) {
    return meta.without(META_KEY);
  }

  /** The number with which the first range begins. */
  static long first(JsonArray ranges) {
    return end(ranges.items().getFirst(), 0);
  }

  /** The number with which the last range ends. */
  static long last(JsonArray ranges) {
    return end(ranges.items().getLast(), 1);
  }

  private static long end(JsonValue range, int side) {
    return ((JsonNumber) ((JsonArray) range).items().get(side)).decimal().longValueExact();
  }
}

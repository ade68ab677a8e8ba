package dev.contexture.engine.session;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Write sets that become one commit: all or none. Each is made from the state that those before it
 * would leave. Confined to the thread that holds the session's lock.
 */
final class CommitBatch {
  private final List<WriteSet> sets = new ArrayList<>();
  private final List<Runnable> after = new ArrayList<>();

  void add(WriteSet set) {
    sets.add(set);
  }

  /** Runs something once it is durable. */
  void after(Runnable action) {
    after.add(action);
  }

  void done() {
    after.forEach(Runnable::run);
  }

  boolean isEmpty() {
    return sets.isEmpty();
  }

  /** A turn as the sets so far would leave it, if one of them puts it. */
  Optional<TurnRow> turn(TurnId id) {
    TurnRow last = null;
    for (WriteSet set : sets) {
      for (Row row : set.rows()) {
        last = row instanceof Row.PutTurn put && put.turn().turn().equals(id) ? put.turn() : last;
      }
    }
    return Optional.ofNullable(last);
  }

  /**
   * The one set. What the sets expect of turns was judged as they were added, and holds as long as
   * the version does.
   */
  WriteSet merged(long version) {
    WriteSet first = sets.getFirst();
    List<Precondition> expected = new ArrayList<>();
    expected.add(new Precondition.VersionIs(version));
    List<Row> rows = new ArrayList<>();
    List<JsonValue> notes = new ArrayList<>();
    for (WriteSet set : sets) {
      set.preconditions().stream().filter(one -> !isOfTurns(one)).forEach(expected::add);
      rows.addAll(set.rows());
      JsonObject note = set.note();
      if (note != null && !note.string("type").orElse("").equals("block")) {
        notes.add(note);
      }
    }
    return new WriteSet(
        first.scope(), first.conversation(), sets.getLast().at(), expected, rows, note(notes));
  }

  private static boolean isOfTurns(Precondition condition) {
    return condition instanceof Precondition.VersionIs
        || condition instanceof Precondition.TurnIs
        || condition instanceof Precondition.TurnUnused
        || condition instanceof Precondition.NoOpenTurn;
  }

  /** Tells of all of them; what only adds blocks needs no word. */
  private JsonObject note(List<JsonValue> notes) {
    if (notes.isEmpty()) {
      JsonObject last = sets.getLast().note();
      return last == null ? JsonObject.EMPTY : last;
    }
    return notes.size() == 1
        ? (JsonObject) notes.getFirst()
        : JsonObject.builder().put("type", "step").put("changes", new JsonArray(notes)).build();
  }
}

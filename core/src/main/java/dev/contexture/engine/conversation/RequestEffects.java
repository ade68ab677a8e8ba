package dev.contexture.engine.conversation;

import dev.contexture.json.JsonObject;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a request makes beside its own record and that are written with it: the epoch of its
 * agent, what its turn refers to, when the prompt cache was used.
 *
 * @param rows none: it changes nothing else
 * @param version of the conversation that they were made from, if they raise it
 * @param note tells of them, if they raise the version
 */
record RequestEffects(List<Row> rows, long version, @Nullable JsonObject note) {
  RequestEffects {
    rows = List.copyOf(rows);
  }

  /** By how much they raise the version. */
  int raised() {
    return rows.stream().anyMatch(Row::raisesVersion) ? 1 : 0;
  }

  void addTo(WriteSet.Builder set) {
    rows.forEach(set::add);
    if (raised() > 0) {
      set.expect(new Precondition.VersionIs(version));
    }
    if (note != null) {
      set.note(note);
    }
  }
}

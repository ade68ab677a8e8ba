package dev.contexture.engine.ledger;

import dev.contexture.json.JsonObject;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a request makes beside its own record and that are written with it: the epoch of its
 * agent, what its turn refers to, when the prompt cache was used.
 *
 * @param rows none: it changes nothing else
 * @param version of the conversation that they were made from, if they raise it
 * @param note tells of them, if they raise the version
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RequestEffects(List<Row> rows, long version, @Nullable JsonObject note) {
  public RequestEffects {
    rows = List.copyOf(rows);
  }

  /** By how much they raise the version. */
  int raised() {
    return rows.stream().anyMatch(Row::raisesVersion) ? 1 : 0;
  }

  public void addTo(WriteSet.Builder set) {
    rows.forEach(set::add);
    if (raised() > 0) {
      set.expect(new Precondition.VersionIs(version));
    }
    if (note != null) {
      set.note(note);
    }
  }
}

package dev.contexture.engine.ledger;

import dev.contexture.block.Block;
import dev.contexture.json.JsonObject;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Timeline;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a request makes beside its own record and that are written with it: the epoch of its
 * agent, what its turn refers to, when the prompt cache was used, what was put behind the
 * conversation.
 *
 * @param rows none: it changes nothing else
 * @param blocks what the provider needed at the end, so that later requests repeat it
 * @param version of the conversation that they were made from, if they raise it
 * @param note tells of them, if they raise the version
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RequestEffects(
    List<Row> rows, List<Block> blocks, long version, @Nullable JsonObject note) {
  public RequestEffects {
    rows = List.copyOf(rows);
    blocks = List.copyOf(blocks);
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return rows.isEmpty() && blocks.isEmpty();
  }

  /** By how much they raise the version. */
  int raised() {
    return !blocks.isEmpty() || rows.stream().anyMatch(Row::raisesVersion) ? 1 : 0;
  }

  public void addTo(WriteSet.Builder set) {
    rows.forEach(set::add);
    if (!blocks.isEmpty()) {
      set.append(blocks.stream().map(NewBlock::of).toList());
    }
    if (raised() > 0) {
      set.expect(new Precondition.VersionIs(version));
    }
    if (note != null) {
      set.note(note);
    }
  }

  public Timeline applied(Timeline before) {
    return blocks.isEmpty() ? before : before.append(blocks);
  }
}

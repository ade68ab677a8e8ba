package dev.contexture.turn;

import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The context that a turn may work with.
 *
 * @param summary stands for what is older; null: nothing does
 * @param history blocks of the turns before the open one, oldest first
 * @param current blocks of the open turn, oldest first
 * @param omittedTurns how many turns the limit leaves out; they stay readable
 * @param version of the conversation
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record LoadedContext(
    @Nullable Summary summary,
    List<TimelineEntry> history,
    List<TimelineEntry> current,
    int omittedTurns,
    long version) {
  public LoadedContext {
    history = List.copyOf(history);
    current = List.copyOf(current);
  }
}

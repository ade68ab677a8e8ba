package dev.contexture.compaction;

import dev.contexture.view.StreamItem;
import java.util.List;
import org.apiguardian.api.API;

/** Counts the messages that one turn becomes, before those of neighbouring turns merge. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface MessageCounter {
  /**
   * @param turn what the turn emits as messages, oldest first
   */
  int count(List<StreamItem> turn);
}

package dev.contexture.search;

import dev.contexture.block.Scope;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The entries that cannot be indexed or embedded and were left out, so that the rest goes on.
 *
 * @param count all of them
 * @param first some of them, with their reasons
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ParkedEntries(long count, List<Entry> first) {
  public static final ParkedEntries NONE = new ParkedEntries(0, List.of());

  public ParkedEntries {
    first = List.copyOf(first);
  }

  /**
   * One of them.
   *
   * @param id as in search hits; of what cannot be read, the turn as {@code user/conversation/turn}
   * @param reason why, without content
   */
  public record Entry(Scope scope, String id, String reason) {}
}

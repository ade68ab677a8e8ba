package dev.contexture.view;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The output of one block in a render.
 *
 * @param role who speaks it in messages
 * @param parts in order; empty: nothing
 * @param cost its tokens
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Emission(MessageRole role, List<Part> parts, long cost) {
  static final Emission NOTHING = new Emission(MessageRole.USER, List.of(), 0);

  public Emission {
    parts = List.copyOf(parts);
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }
}

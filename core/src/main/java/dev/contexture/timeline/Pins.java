package dev.contexture.timeline;

import dev.contexture.block.BlockPath;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The paths that stay in context whatever is compacted. Immutable.
 *
 * @param all in the order in which they were pinned
 * @param room how many tokens they may take together; the later ones that do not fit are not shown
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record Pins(List<Pin> all, long room) {
  public static final Pins NONE = new Pins(List.of(), Long.MAX_VALUE);

  public Pins {
    all = List.copyOf(all);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Whether a block holds the text of a pin: it is not shortened then. */
  public boolean hold(long seq) {
    return all.stream().anyMatch(pin -> pin.seq() == seq);
  }

  /** Adds a pin; one of the same path gives way to it. */
  public Pins with(Pin pin) {
    List<Pin> next = new ArrayList<>(without(pin.path()).all);
    next.add(pin);
    return new Pins(next, room);
  }

  public Pins without(BlockPath path) {
    return new Pins(all.stream().filter(pin -> !pin.path().equals(path)).toList(), room);
  }

  public Pins withRoom(long tokens) {
    return tokens == room ? this : new Pins(all, tokens);
  }
}

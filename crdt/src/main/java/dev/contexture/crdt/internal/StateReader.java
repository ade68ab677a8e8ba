package dev.contexture.crdt.internal;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the values of one state. Confined to the thread of the document. */
public final class StateReader {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final State state;
  private final Containers containers;

  StateReader(State state, Containers containers) {
    this.state = state;
    this.containers = containers;
  }

  public int containers() {
    return containers.size();
  }

  public ContainerKind kind(int container) {
    return containers.kind(container);
  }

  public String name(int container) {
    return containers.name(container);
  }

  public int length(int container) {
    return state.length(container);
  }

  public String text(int container) {
    return state.text(container).toString();
  }

  public List<String> list(int container) {
    return List.copyOf(state.list(container));
  }

  public String item(int container, int position) {
    return state.list(container).get(position);
  }

  public Map<String, String> map(int container) {
    return state.map(container).values();
  }

  public @Nullable String value(int container, String key) {
    return state.map(container).get(key);
  }

  /** The exact sum, or the nearest value that 64 bits can hold. */
  public long counter(int container) {
    return state.counter(container).max(MIN).min(MAX).longValueExact();
  }
}

package dev.contexture.crdt;

import dev.contexture.crdt.internal.DocumentCore;
import org.apiguardian.api.API;

/**
 * A counter that merges: the sum of all steps of all replicas. Confined to its document's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SharedCounter {
  private final DocumentCore core;
  private final int container;

  SharedCounter(DocumentCore core, int container) {
    this.core = core;
    this.container = container;
  }

  /** The sum; beyond 64 bits, the nearest value that fits. */
  public long value() {
    return core.reading().counter(container);
  }

  /** Moves the counter; 0 does nothing. */
  public void add(long step) {
    core.add(container, step);
  }
}

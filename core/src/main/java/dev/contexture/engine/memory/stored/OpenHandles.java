package dev.contexture.engine.memory.stored;

import dev.contexture.memory.StructuredDocument;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The handles that each thread has open, as long as it holds on to them. Thread-safe. */
final class OpenHandles {
  private static final int MAX_HANDLES = 1_000; // of one thread; older ones are no longer found

  private final ThreadLocal<List<Entry>> mine = ThreadLocal.withInitial(ArrayList::new);

  private record Entry(String agent, String block, WeakReference<StructuredDocument> handle) {}

  void add(String agent, String block, StructuredDocument handle) {
    List<Entry> entries = mine.get();
    entries.removeIf(entry -> gone(entry.handle().get()));
    if (entries.size() >= MAX_HANDLES) {
      entries.removeFirst();
    }
    entries.add(new Entry(agent, block, new WeakReference<>(handle)));
  }

  private static boolean gone(@Nullable StructuredDocument handle) {
    return handle == null || handle.isClosed();
  }

  /** The open handles of this thread on a block. */
  List<StructuredDocument> of(String agent, String block) {
    List<StructuredDocument> found = new ArrayList<>();
    for (Entry entry : mine.get()) {
      StructuredDocument handle = entry.handle().get();
      if (entry.agent().equals(agent)
          && entry.block().equals(block)
          && handle != null
          && !handle.isClosed()) {
        found.add(handle);
      }
    }
    return found;
  }
}

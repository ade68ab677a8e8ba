package dev.contexture.engine.memory.stored;

import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.MemoryEvent;
import java.nio.charset.StandardCharsets;

/** Adds events of hosts: those about blocks are written with the commits that they tell. */
final class HostEvents {
  private HostEvents() {}

  static long add(MemoryServices services, MemoryEvent event) {
    if (event.block() != null || event.type().isBlank() || event.type().contains(".")) {
      throw MemoryRefusals.argument(
          "event", event.type() + " " + event.block(), "a plain type and no block");
    }
    String agent = event.agent();
    if (agent != null) {
      services.scope().agent(agent); // checks its form
    }
    int size = event.details().toJson().getBytes(StandardCharsets.UTF_8).length;
    MemoryRefusals.atMost("details", services.limits().jsonBytes(), size, "bytes");
    WriteSet set =
        WriteSet.of(services.scope(), event.at()).add(new MemoryRow.AddEvent(event)).build();
    return switch (services.commit(set)) {
      case Commit.Committed added -> added.lastEvent();
      case Commit.Conflict conflict ->
          throw new IllegalStateException("an event conflicts: " + conflict.reason());
    };
  }
}

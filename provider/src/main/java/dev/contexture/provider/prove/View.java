package dev.contexture.provider.prove;

import dev.contexture.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A body, taken apart. Immutable.
 *
 * @param format how it is written
 * @param tools their definitions
 * @param system the parts before all messages
 * @param entries the messages
 * @param settings everything else
 */
record View(
    Format format, List<Item> tools, List<Item> system, List<Entry> entries, JsonObject settings) {
  View {
    tools = List.copyOf(tools);
    system = List.copyOf(system);
    entries = List.copyOf(entries);
  }

  /** All blocks in the order in which caches see them. */
  List<Item> blocks() {
    List<Item> blocks = new ArrayList<>(tools);
    blocks.addAll(system);
    entries.forEach(entry -> blocks.addAll(entry.items()));
    return blocks;
  }

  /** The thinking of the conversation, in order. */
  List<Item> thinking() {
    return entries.stream().flatMap(entry -> entry.all(Item.Kind.THINKING).stream()).toList();
  }

  boolean hasCalls() {
    return entries.stream().anyMatch(entry -> entry.has(Item.Kind.CALL));
  }
}

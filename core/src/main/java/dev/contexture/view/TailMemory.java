package dev.contexture.view;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Says whom a text at the end of an earlier request was for, and of which memory blocks it told. It
 * is part of the conversation by now, but not for who may not read those blocks any more.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TailMemory {
  /** Stands for blocks that are not known: those of texts that were stored without them. */
  public static final String UNKNOWN = "";

  private static final String AGENT = "agent";
  private static final String MEMORY = "memory";

  /** How the text of sources begins, which tells of no memory. */
  public static final String SOURCES = "[SOURCES POOL]";

  private TailMemory() {}

  /** What is kept with a text. */
  public static JsonObject meta(@Nullable String agent, String text, Collection<String> memory) {
    Collection<String> told = text.startsWith(SOURCES) ? Set.of() : memory;
    JsonObject.Builder meta = JsonObject.builder().putIfPresent(AGENT, agent);
    return meta.put(MEMORY, JsonArray.ofStrings(told.stream().sorted().toList())).build();
  }

  /** Whether a block is such a text that an agent was told; to nobody in particular: to all. */
  public static boolean isFor(Block block, String agent) {
    String listener = block.meta().string(AGENT).orElse("");
    return block.type().equals(BlockType.CONTEXT_TAIL)
        && (listener.isEmpty() || listener.equals(agent));
  }

  /** Ids of the memory blocks that it tells of. */
  public static Set<String> of(Block tail) {
    JsonArray told = tail.meta().array(MEMORY).orElse(null);
    if (told == null) {
      return tail.text().orElse("").startsWith(SOURCES) ? Set.of() : Set.of(UNKNOWN);
    }
    Set<String> ids = new HashSet<>();
    for (JsonValue id : told.items()) {
      ids.add(id instanceof JsonString known ? known.value() : UNKNOWN);
    }
    return ids;
  }
}

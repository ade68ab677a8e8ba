package dev.contexture.engine.memory;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Resolves a name that people and models give into the address of a memory block. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BlockAddress {
  private BlockAddress() {}

  /**
   * The address of a block: {@code owner/label} means what it says; a bare label the agent's own
   * block, else the only one of that label that is shared with it.
   *
   * @return an address for {@link MemoryStore}; of a name that means nothing, the name itself
   * @throws ContextureException {@code ambiguous_label} if several blocks of the label are shared
   *     with the agent
   */
  public static String of(MemoryStore memory, String agent, String name) {
    if (name.indexOf('/') >= 0 || memory.getBlockMetadata(agent, name).isPresent()) {
      return name;
    }
    List<String> owners =
        memory.listSharedBlocks(agent).stream()
            .filter(shared -> shared.label().equals(name))
            .map(SharedBlockInfo::owner)
            .distinct()
            .toList();
    if (owners.size() > 1) {
      throw ambiguous(agent, name, owners);
    }
    return owners.isEmpty() ? name : owners.getFirst() + "/" + name;
  }

  private static ContextureException ambiguous(String agent, String label, List<String> owners) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("agent", agent);
    details.put("label", label);
    details.put("owners", String.join(", ", owners));
    return new ContextureException(
        ErrorCode.AMBIGUOUS_LABEL,
        "several blocks \""
            + label
            + "\" are shared with agent \""
            + agent
            + "\"; name one as "
            + String.join("/" + label + " or ", owners)
            + "/"
            + label,
        details,
        null);
  }
}

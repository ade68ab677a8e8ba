package dev.contexture.prompt;

import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The changes in memory since an epoch began, as a message. Immutable.
 *
 * @param text the message; empty if nothing changed
 * @param labels the blocks that it shows, in order
 * @param gone blocks that it says are no longer shown
 * @param dropped changed blocks for which there is no room
 * @param truncated changed blocks that are cut
 * @param ids of the blocks that it shows
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryUpdate(
    String text,
    List<String> labels,
    List<String> gone,
    List<Omission> dropped,
    List<Omission> truncated,
    Set<String> ids) {
  /** How its text begins. */
  public static final String OPEN = "<memory_update>\n";

  private static final String CLOSE = "</memory_update>";

  /** Takes back what an earlier update said, where that cannot be left out any more. */
  public static final String REVOKED =
      OPEN + "Memory is again as it was first shown; earlier updates do not hold.\n" + CLOSE;

  private static final String HEAD =
      "Memory blocks that changed after they were shown above, as they are now:\n\n";

  /** Nothing changed. */
  public static final MemoryUpdate NONE =
      new MemoryUpdate("", List.of(), List.of(), List.of(), List.of(), Set.of());

  public MemoryUpdate {
    labels = List.copyOf(labels);
    gone = List.copyOf(gone);
    dropped = List.copyOf(dropped);
    truncated = List.copyOf(truncated);
    ids = Set.copyOf(ids);
  }

  /**
   * @param wanted the blocks that a prompt would show now
   * @param budget tokens
   */
  public static MemoryUpdate of(
      EpochState epoch, List<PromptBlock> wanted, long budget, TokenMeter meter) {
    Map<String, String> before = new HashMap<>();
    epoch.blocks().forEach(block -> before.put(block.id(), block.digest()));
    List<PromptBlock> changed =
        wanted.stream().filter(block -> !block.digest().equals(before.get(block.id()))).toList();
    Set<String> now = wanted.stream().map(PromptBlock::id).collect(Collectors.toSet());
    List<String> gone =
        epoch.blocks().stream()
            .filter(block -> block.shown() && !now.contains(block.id()))
            .map(EpochState.Member::name)
            .toList();
    MemoryPrompt shown = MemoryPrompt.of(changed, budget, meter);
    List<String> labels = shown.blocks().stream().map(PromptBlock::name).toList();
    Set<String> ids = shown.blocks().stream().map(PromptBlock::id).collect(Collectors.toSet());
    return new MemoryUpdate(
        text(shown, gone), labels, gone, shown.dropped(), shown.truncated(), ids);
  }

  private static String text(MemoryPrompt shown, List<String> gone) {
    String blocks =
        Stream.of(shown.core(), shown.working())
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("\n\n"));
    List<String> pieces = new ArrayList<>();
    if (!blocks.isEmpty()) {
      pieces.add(HEAD + blocks);
    }
    if (!gone.isEmpty()) {
      pieces.add("No longer shown: " + String.join(", ", gone));
    }
    return pieces.isEmpty() ? "" : OPEN + String.join("\n\n", pieces) + "\n" + CLOSE;
  }
}

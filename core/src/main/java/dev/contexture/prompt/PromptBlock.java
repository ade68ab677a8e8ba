package dev.contexture.prompt;

import dev.contexture.block.Binary;
import dev.contexture.memory.BlockMarkup;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * A memory block that a prompt is to show.
 *
 * @param id of the block
 * @param owner the agent it belongs to
 * @param shared whether another agent shares it with the viewer
 * @param core whether it is always shown, and whole
 * @param reference its place among the blocks that the turn refers to; {@link #NOT_REFERENCED}
 * @param updated when it last changed
 * @param markup the block as the prompt has it, whole
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PromptBlock(
    String id,
    String owner,
    boolean shared,
    boolean core,
    int reference,
    Instant updated,
    BlockMarkup markup) {
  /** Shown because it is pinned, or always. */
  public static final int NOT_REFERENCED = Integer.MAX_VALUE;

  /**
   * The order in the prompt: own ones by label, then shared ones by label and owner; of both those
   * for all users before those of one, which change from one user to the next.
   */
  static final Comparator<PromptBlock> ORDER =
      Comparator.comparing(PromptBlock::shared)
          .thenComparing(PromptBlock::ofUser)
          .thenComparing(PromptBlock::label)
          .thenComparing(PromptBlock::owner);

  /** The order in which they get room: as referred to, then the newest, then by label. */
  static final Comparator<PromptBlock> CHOICE =
      Comparator.comparingInt(PromptBlock::reference)
          .thenComparing(PromptBlock::updated, Comparator.reverseOrder())
          .thenComparing(PromptBlock::label)
          .thenComparing(PromptBlock::owner);

  /** Whether it belongs to one user. */
  boolean ofUser() {
    return markup.user() != null;
  }

  public String label() {
    return markup.label();
  }

  /** How the viewer calls it: its label, or {@code owner/label}. */
  public String name() {
    return shared ? owner + "/" + label() : label();
  }

  /** What it says, as a hash: equal if nothing that the prompt shows has changed. */
  String digest() {
    return Binary.of(markup.toString().getBytes(StandardCharsets.UTF_8)).sha256();
  }
}

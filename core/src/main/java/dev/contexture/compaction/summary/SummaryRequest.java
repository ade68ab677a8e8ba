package dev.contexture.compaction.summary;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.token.TokenMeter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A request to a summariser.
 *
 * @param mode what kind of summary
 * @param modelName the model to ask, where the summariser asks one
 * @param promptText the caller's own instructions; null: {@link #instructions()} has the default
 * @param input the blocks, oldest first
 * @param previousText the summary so far, which the new one replaces
 * @param targetTokens what the text should stay within
 * @param window what the model can read
 * @param meter how tokens are counted
 * @param remaining texts that stay in the context beside the summary; what they say need not be
 *     repeated
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SummaryRequest(
    Mode mode,
    @Nullable String modelName,
    @Nullable String promptText,
    List<Item> input,
    @Nullable String previousText,
    long targetTokens,
    long window,
    TokenMeter meter,
    List<String> remaining) {
  public SummaryRequest {
    input = List.copyOf(input);
    remaining = List.copyOf(remaining);
  }

  /** The kind of summary that is asked for. */
  public enum Mode {
    /** The first of a conversation. */
    CREATE,
    /** One that goes on from the previous one. */
    UPDATE,
    /** The beginning of a turn whose end stays in the context. */
    TURN_PREFIX;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A block to be summarised.
   *
   * @param type its type
   * @param turn its turn
   * @param seq its sequence number; 0 if it has none
   * @param blockPath where it can be read
   * @param toolId its tool, if it is of a call
   * @param error whether it is a result that says that the tool failed
   * @param text what a transcript shows of it
   */
  public record Item(
      BlockType type,
      TurnId turn,
      long seq,
      @Nullable BlockPath blockPath,
      @Nullable String toolId,
      boolean error,
      String text) {
    public Optional<BlockPath> path() {
      return Optional.ofNullable(blockPath);
    }

    public Optional<String> tool() {
      return Optional.ofNullable(toolId);
    }
  }

  public Optional<String> model() {
    return Optional.ofNullable(modelName);
  }

  public Optional<String> previous() {
    return Optional.ofNullable(previousText);
  }

  /** The instructions for a model: the caller's own, or those for the mode. */
  public String instructions() {
    return promptText != null ? promptText : SummaryPrompt.of(mode);
  }

  /** The material for a model: the blocks, then the previous summary, each inside its tags. */
  public String material() {
    StringBuilder text = new StringBuilder("<conversation>\n");
    input.forEach(item -> text.append(item.text()).append("\n\n"));
    text.append("</conversation>");
    previous()
        .ifPresent(
            summary ->
                text.append("\n\n<previous-summary>\n")
                    .append(summary)
                    .append("\n</previous-summary>"));
    return text.toString();
  }
}

package dev.contexture.compaction;

import dev.contexture.compaction.summary.SummaryPrompt;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A way to shorten a conversation that is too long. Closed: exactly one of them runs before a model
 * is called, and all of them plan, summarise and apply through {@link Compactor}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface CompressionStrategy {
  /** The default: the timeline's own compaction with the default preset. */
  CompressionStrategy DEFAULT = new Compaction(CompactionPolicy.DEFAULT);

  /** The name as callers give it. */
  String wireName();

  /**
   * A summary stands for the older part of the window; it may divide a turn, also the active one.
   *
   * @param policy when, and how much stays
   */
  record Compaction(CompactionPolicy policy) implements CompressionStrategy {
    @Override
    public String wireName() {
      return "compaction";
    }
  }

  /**
   * Older turns are archived whole, and nothing stands for them.
   *
   * @param keepRecent complete turns are kept, newest first, while fewer messages than this are
   */
  record Truncate(int keepRecent) implements CompressionStrategy {
    /**
     * @throws ContextureException {@code invalid_config} if the number is below 1
     */
    public Truncate {
      checkPositive("keep_recent", keepRecent);
    }

    @Override
    public String wireName() {
      return "truncate";
    }
  }

  /**
   * The oldest turns are archived whole, and a summary stands for them that grows chunk by chunk.
   *
   * @param chunkSize how many messages at least are summarised by one call
   * @param modelName the model to ask, where the summariser asks one; null: its own
   * @param promptText instructions for the model; null: the built-in ones
   */
  record RecursiveSummarization(
      int chunkSize, @Nullable String modelName, @Nullable String promptText)
      implements CompressionStrategy {
    /**
     * @throws ContextureException {@code invalid_config} if the size is below 1
     */
    public RecursiveSummarization {
      checkPositive("chunk_size", chunkSize);
    }

    public Optional<String> model() {
      return Optional.ofNullable(modelName);
    }

    /** The instructions that a model gets. */
    public String instructions() {
      return promptText == null ? SummaryPrompt.ARCHIVED_TURNS : promptText;
    }

    @Override
    public String wireName() {
      return "recursive_summarization";
    }
  }

  private static void checkPositive(String field, int value) {
    if (value < 1) {
      throw ContextureException.invalid(ErrorCode.INVALID_CONFIG, field, value, "a number from 1");
    }
  }
}

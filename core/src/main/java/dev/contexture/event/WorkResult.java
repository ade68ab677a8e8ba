package dev.contexture.event;

import dev.contexture.model.Usage;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The result of work of an engine; each {@link EngineWork} has its own. No text of anybody. */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public sealed interface WorkResult {
  /**
   * A request that may be sent.
   *
   * @param id by which it is recorded
   * @param tokens about what the provider will count
   * @param budget the most that it may have
   * @param maxOutputTokens the most that the model may say; 0: not said
   * @param messages of the conversation that it holds
   * @param compacted whether it shows a summary in place of older messages
   * @param prefix how it relates to the request before it: {@code extends}, {@code diverges} or
   *     {@code rebased}
   * @param tokensLost tokens that the provider could have read from its cache, were it not changed
   * @param repairs what had to be repaired so that the provider takes it
   */
  record RequestBuilt(
      String id,
      long tokens,
      long budget,
      long maxOutputTokens,
      int messages,
      boolean compacted,
      String prefix,
      long tokensLost,
      int repairs)
      implements WorkResult {}

  /**
   * An answer that is durable.
   *
   * @param repeated whether it had been stored before, so that nothing changed
   * @param stop why the model stopped
   * @param calls how many calls it holds
   */
  record AnswerStored(boolean repeated, String stop, int calls, @Nullable Usage usage)
      implements WorkResult {}

  /**
   * A compaction that was tried.
   *
   * @param status {@code completed}, {@code skipped} ...
   * @param reason why
   * @param blocks that are newly behind a summary
   * @param warnings such as {@code summarizer_failed}
   */
  record CompactionDone(
      String status,
      String reason,
      long tokensBefore,
      long tokensAfter,
      int blocks,
      List<String> warnings)
      implements WorkResult {
    public CompactionDone {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Memory that is durable.
   *
   * @param record the block or entry by id; null: there was none
   * @param changed whether anything did
   */
  record MemoryWritten(@Nullable String record, boolean changed) implements WorkResult {}

  /**
   * The result of a search.
   *
   * @param mode how it was answered, by its name
   * @param hits how many
   * @param fallbacks why it was answered with less than asked for, by their names
   */
  record QueryAnswered(String mode, int hits, List<String> fallbacks) implements WorkResult {
    public QueryAnswered {
      fallbacks = List.copyOf(fallbacks);
    }
  }
}

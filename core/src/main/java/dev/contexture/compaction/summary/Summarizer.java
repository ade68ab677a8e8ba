package dev.contexture.compaction.summary;

import org.apiguardian.api.API;

/**
 * Writes the summary of blocks that leave the context. The one interface of the whole engine to
 * whatever can do this; {@link dev.contexture.compaction.ExtractiveSummarizer} needs no model and
 * is the default.
 *
 * <p>Called outside of any lock and transaction, possibly by several threads at once. An exception,
 * blank text or a text over {@link #MAX_CHARS} characters leaves the conversation as it is.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface Summarizer {
  /** The most characters that a summary may have. */
  int MAX_CHARS = 32_000;

  /** The summary of the request's input that also holds what its previous summary says. */
  String summarize(SummaryRequest request);

  /**
   * Whether it reads any amount of input at once and lists the references of what it replaces by
   * itself, so that neither is done for it.
   */
  default boolean isExtractive() {
    return false;
  }
}

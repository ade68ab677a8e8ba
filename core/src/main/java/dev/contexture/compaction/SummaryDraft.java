package dev.contexture.compaction;

import org.apiguardian.api.API;

/** What came of asking the summariser. */
@API(status = API.Status.STABLE, since = "0.1")
public sealed interface SummaryDraft {
  /**
   * The texts were written.
   *
   * @param main about whole turns
   * @param prefix about the beginning of the divided turn; empty if none is divided
   */
  record Written(String main, String prefix) implements SummaryDraft {}

  /**
   * They were not, and the conversation stays as it is (T-74).
   *
   * @param reason why
   */
  record Failed(String reason) implements SummaryDraft {}
}

package dev.contexture.compaction.summary;

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
  record Written(String main, String prefix) implements SummaryDraft {
    /** The same texts, each with half of the references that it ends with. */
    public Written withFewerReferences() {
      return new Written(Inventory.halved(main), Inventory.halved(prefix));
    }
  }

  /** None are wanted: the plan makes no summary. */
  record NotAsked() implements SummaryDraft {}

  /**
   * They were not, and the conversation stays as it is.
   *
   * @param reason why
   */
  record Failed(String reason) implements SummaryDraft {}
}

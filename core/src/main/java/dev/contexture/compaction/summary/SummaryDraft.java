package dev.contexture.compaction.summary;

import org.apiguardian.api.API;

/** The answer of a summariser. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface SummaryDraft {
  /**
   * The texts were written, or none was needed because the built-in summary has entries of its own.
   *
   * @param main about whole turns
   * @param prefix about the beginning of the divided turn; empty if none is divided
   * @param writer who wrote them
   * @param failure why a model's texts are not there; empty if nothing failed
   */
  record Written(String main, String prefix, SummaryContent.Writer writer, String failure)
      implements SummaryDraft {
    /** Nothing is written: the entries alone make the summary. */
    public static final Written BUILT_IN = new Written("", "", SummaryContent.Writer.BUILT_IN, "");
  }

  /** None are wanted: the plan makes no summary. */
  record NotAsked() implements SummaryDraft {}
}

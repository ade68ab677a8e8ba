package dev.contexture.model;

import java.util.Locale;
import org.apiguardian.api.API;

/** The meaning of a model's answer for the loop around it. */
@API(status = API.Status.STABLE, since = "0.3")
public enum AnswerOutcome {
  /** It holds whole calls, which want results. */
  CALLS(false),
  /** It says something and asks for nothing. */
  ANSWERED(true),
  /** The model wants to be called again with what it has said so far. */
  PAUSED(false),
  /** It was cut: by the limit on its output, or because the stream broke or was cancelled. */
  TRUNCATED(true),
  /** The model declined, or a filter of the provider ended the answer. */
  REFUSED(true),
  /** The window was full: the next request of the turn is made shorter. */
  CONTEXT_LIMIT(true),
  /** It says nothing. */
  EMPTY(true);

  private final boolean done;

  AnswerOutcome(boolean done) {
    this.done = done;
  }

  /**
   * The outcome of an answer. Calls come first, whatever the reason of the stop.
   *
   * @param calls whether there are whole calls
   * @param stop why the model stopped
   * @param cut whether the answer did not reach its end
   * @param text what it says
   * @param more whether it holds something else that goes back to the model
   */
  public static AnswerOutcome of(boolean calls, Stop stop, boolean cut, String text, boolean more) {
    if (calls) {
      return CALLS;
    }
    if (cut) {
      return TRUNCATED;
    }
    return switch (stop) {
      case PAUSE -> text.isBlank() && !more ? EMPTY : PAUSED;
      case MAX_TOKENS -> TRUNCATED;
      case REFUSAL, CONTENT_FILTER -> REFUSED;
      case CONTEXT_LIMIT -> CONTEXT_LIMIT;
      case END, TOOL_USE, OTHER -> text.isBlank() ? EMPTY : ANSWERED;
    };
  }

  /** Whether the loop ends: all but calls and a pause. */
  public boolean done() {
    return done;
  }

  /** The outcome of this word. */
  public static AnswerOutcome named(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }

  /** The word as callers see it: lower snake case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

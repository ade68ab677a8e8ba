package dev.contexture.model;

import java.util.Locale;
import org.apiguardian.api.API;

/** The reason why a model stopped, in words that belong to no provider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Stop {
  /** It said all it wanted to say. */
  END,
  /** It waits for the results of its calls. */
  TOOL_USE,
  /** The limit on its output was reached. */
  MAX_TOKENS,
  /** Its window was full. */
  CONTEXT_LIMIT,
  /** It declined. */
  REFUSAL,
  /** A filter of the provider ended it. */
  CONTENT_FILTER,
  /** It wants to be called again with what it has said so far. */
  PAUSE,
  /** Anything else, and every answer that was cut. */
  OTHER;

  /** The word as callers see it: lower snake case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reason of this word; {@link #OTHER} for one that is not known. */
  public static Stop named(String word) {
    for (Stop stop : values()) {
      if (stop.wireName().equals(word)) {
        return stop;
      }
    }
    return OTHER;
  }
}

package dev.contexture.token;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Counts the tokens of a text, in bounded time and memory. Thread-safe and deterministic.
 *
 * <p>A text of up to 262,144 characters counts exactly as the encoding does, unless it holds a run
 * of more than 4,096 characters that nothing divides, such as a word without an end: such a run is
 * counted in parts, which may give a token too many for each. Longer texts count exactly, too, as
 * long as their words repeat, and are estimated from 64 samples of 1,024 characters otherwise.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TokenCounter {
  /** The newest public encoding; the default. */
  TokenCounter O200K_BASE = new EncodingCounter("o200k_base");

  /** The public encoding before that. */
  TokenCounter CL100K_BASE = new EncodingCounter("cl100k_base");

  /** A quarter of the code points, rounded up; no encoding is loaded. */
  TokenCounter CHARS4 = new QuarterCounter();

  /** The name by which options and reports call it. */
  String name();

  /** The number of tokens; what looks like a special token counts as plain text. */
  long count(String text);

  /**
   * The counter of this name.
   *
   * @throws ContextureException {@code invalid_config} if there is none
   */
  static TokenCounter named(String name) {
    return Stream.of(O200K_BASE, CL100K_BASE, CHARS4)
        .filter(counter -> counter.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_CONFIG, "tokenizer", name, Choices.inWords(names())));
  }

  /** The names of the counters; the default first. */
  static List<String> names() {
    return Stream.of(O200K_BASE, CL100K_BASE, CHARS4).map(TokenCounter::name).toList();
  }
}

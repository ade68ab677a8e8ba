package dev.contexture.search;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A method by which a search finds its hits. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum SearchMode {
  /** By words. */
  FTS("by words"),
  /** By meaning. */
  VECTOR("by meaning"),
  /** By both, joined by their scores. */
  HYBRID("by both, joined by their scores"),
  /** By both, joined by reciprocal rank fusion. */
  RRF("by both, joined by their ranks"),
  /** Hybrid with a configured embedder, else by words. */
  AUTO("hybrid if there is an embedder, else fts");

  private final String meaning;

  SearchMode(String meaning) {
    this.meaning = meaning;
  }

  /** What it does, in a few words. */
  public String meaning() {
    return meaning;
  }

  /** The mode of this wire name. */
  public static Optional<SearchMode> of(String wireName) {
    return Stream.of(values()).filter(mode -> mode.wireName().equals(wireName)).findFirst();
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

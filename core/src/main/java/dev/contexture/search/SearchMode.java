package dev.contexture.search;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** How a search finds its hits. */
@API(status = API.Status.STABLE, since = "0.1")
public enum SearchMode {
  /** By words. */
  FTS,
  /** By meaning. */
  VECTOR,
  /** By both, joined by their scores. */
  HYBRID,
  /** By both, joined by reciprocal rank fusion. */
  RRF,
  /** Hybrid with a configured embedder, else by words. */
  AUTO;

  /** The mode of this wire name. */
  public static Optional<SearchMode> of(String wireName) {
    return Stream.of(values()).filter(mode -> mode.wireName().equals(wireName)).findFirst();
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

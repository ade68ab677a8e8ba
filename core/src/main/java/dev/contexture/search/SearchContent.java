package dev.contexture.search;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The amount of its content that a hit carries. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum SearchContent {
  /** The part that matches best. */
  EXCERPT,
  /** All of it. */
  FULL;

  /** The choice of this wire name. */
  public static Optional<SearchContent> of(String wireName) {
    return Stream.of(values()).filter(content -> content.wireName().equals(wireName)).findFirst();
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.contexture.search;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A type of content that can be found. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum SearchContentType {
  /** What was said in conversations, with the results of tools. */
  MESSAGES("message"),
  /** Memory blocks. */
  BLOCKS("block"),
  /** Archival entries. */
  ARCHIVAL("archival");

  private final String hitName;

  SearchContentType(String hitName) {
    this.hitName = hitName;
  }

  /** The type of this wire name, for example {@code messages}. */
  public static Optional<SearchContentType> of(String wireName) {
    return Stream.of(values()).filter(type -> type.wireName().equals(wireName)).findFirst();
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What one hit of this type is called, for example {@code message}. */
  public String hitName() {
    return hitName;
  }
}

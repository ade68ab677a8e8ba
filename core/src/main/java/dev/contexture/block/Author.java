package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The author of a block: a short name from an open set. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Author(String name) {
  public static final Author USER = new Author("user");
  public static final Author ASSISTANT = new Author("assistant");
  public static final Author SYSTEM = new Author("system");
  public static final Author REACT = new Author("react");
  public static final Author AGENT = new Author("agent");
  public static final Author TOOL = new Author("tool");
  public static final Author GATE = new Author("gate");

  private static final int MAX_CHARS = 64;
  private static final Map<String, Author> KNOWN =
      Stream.of(USER, ASSISTANT, SYSTEM, REACT, AGENT, TOOL, GATE)
          .collect(Collectors.toUnmodifiableMap(Author::name, author -> author));

  public Author {
    int chars = name.codePointCount(0, name.length());
    if (name.isBlank() || chars > MAX_CHARS || name.chars().anyMatch(Character::isISOControl)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_AUTHOR, "author", name, "1 to 64 characters on one line");
    }
  }

  public static Author of(String name) {
    Author known = KNOWN.get(name);
    return known == null ? new Author(name) : known;
  }

  @Override
  public String toString() {
    return name;
  }
}

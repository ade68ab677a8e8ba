package dev.contexture.server.keys;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Locale;
import org.apiguardian.api.API;

/** The role of a key; each role may do what those before it may. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum KeyRole {
  /** Reads: GET, and the POST routes that change nothing. */
  READER,
  /** Reads and writes, in memory as the agent of the path. */
  WRITER,
  /** Everything of the project: searches all of it, and acts as anybody. */
  ADMIN;

  /**
   * The role of a wire name.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public static KeyRole named(String name) {
    for (KeyRole role : values()) {
      if (role.wireName().equals(name)) {
        return role;
      }
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "role", name, Choices.inWords(values()));
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this role is enough where another one is needed. */
  public boolean covers(KeyRole needed) {
    return compareTo(needed) >= 0;
  }
}

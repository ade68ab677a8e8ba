package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The engine's id of one tool call: {@code tc_} and 1 to 61 letters, digits, underscores or
 * hyphens. A provider's own id is mapped to it by {@link #of} and kept beside it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CallId(String value) {
  private static final String PREFIX = "tc_";
  private static final Pattern GRAMMAR = Pattern.compile("tc_[A-Za-z0-9_-]{1,61}");
  private static final Pattern FOREIGN = Pattern.compile("[A-Za-z0-9_-]{1,61}");
  private static final int HASH_DIGITS = 12;

  public CallId {
    if (!GRAMMAR.matcher(value).matches()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CALL_ID, "tool_call_id", value, "tc_ and 1 to 61 of A-Z a-z 0-9 _ -");
    }
  }

  /**
   * The engine's id for any id: itself if it has the engine's form; a foreign one gets the prefix,
   * or is replaced by a hash if it is too long or has other characters.
   */
  public static CallId of(String id) {
    if (isEngineForm(id)) {
      return new CallId(id);
    }
    if (id.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CALL_ID, "tool_call_id", id, "a text that is not empty");
    }
    return FOREIGN.matcher(id).matches()
        ? new CallId(PREFIX + id)
        : new CallId(PREFIX + sha256(id).substring(0, HASH_DIGITS));
  }

  /** Whether the text already is an id of the engine's own form. */
  public static boolean isEngineForm(String id) {
    return GRAMMAR.matcher(id).matches();
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}

package dev.contexture.provider.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The names that a format takes for tools. Any other name gets an alias that depends on the name
 * alone, so that it is the same in every request: the name with underscores for what is not
 * allowed, and eight digits of its hash, which keep apart what would look alike.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolNames {
  /** Letters, digits, underscores and hyphens, 64 at most. */
  public static final ToolNames COMMON = new ToolNames("A-Za-z0-9_-", "A-Za-z0-9_-", 64);

  private static final int HASH_DIGITS = 8;

  private final Pattern allowed;
  private final Pattern first;
  private final Pattern others;
  private final int most;

  /**
   * Names of these characters, as they stand in a regular expression.
   *
   * @param first those that a name may begin with
   * @param all those of a name
   * @param most how many it may have
   */
  public ToolNames(String first, String all, int most) {
    this.allowed = Pattern.compile("[" + first + "][" + all + "]{0," + (most - 1) + "}");
    this.first = Pattern.compile(first.equals(all) ? "" : "[" + first + "]");
    this.others = Pattern.compile("[^" + all + "]");
    this.most = most;
  }

  /** Whether a name is sent as it is. */
  public boolean takes(String tool) {
    return allowed.matcher(tool).matches();
  }

  /** The name itself, or its alias. */
  public String wireName(String tool) {
    if (takes(tool)) {
      return tool;
    }
    String safe = others.matcher(tool).replaceAll("_");
    String alias = first.matcher(safe).lookingAt() ? safe : "_" + safe;
    int kept = Math.min(alias.length(), most - HASH_DIGITS - 1);
    return alias.substring(0, kept) + "_" + sha256(tool).substring(0, HASH_DIGITS);
  }

  /** The SHA-256 of a text, in hex. */
  public static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}

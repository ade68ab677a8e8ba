package dev.contexture.provider.request;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Tool names as the formats take them (V24). Anthropic and OpenAI: letters, digits, underscores and
 * hyphens, 64 at most. Gemini: dots and colons, too, a letter or an underscore first, 128 at most.
 * Any other name gets an alias that depends on the name alone, so that it is the same in every
 * request: the name with underscores for what is not allowed, and eight digits of its hash, which
 * keep apart what would look alike.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolNames {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9_-]");
  private static final Pattern GEMINI = Pattern.compile("[A-Za-z_][A-Za-z0-9_.:-]{0,127}");
  private static final Pattern NOT_GEMINI = Pattern.compile("[^A-Za-z0-9_.:-]");
  private static final int MAX_CHARS = 64;
  private static final int GEMINI_CHARS = 128;
  private static final int HASH_DIGITS = 8;

  private ToolNames() {}

  /** The name for Anthropic and OpenAI. */
  public static String wireName(String tool) {
    if (ALLOWED.matcher(tool).matches()) {
      return tool;
    }
    return alias(OTHER.matcher(tool).replaceAll("_"), tool, MAX_CHARS);
  }

  /** The name for Gemini. */
  public static String geminiName(String tool) {
    if (GEMINI.matcher(tool).matches()) {
      return tool;
    }
    String safe = NOT_GEMINI.matcher(tool).replaceAll("_");
    boolean starts = GEMINI.matcher(safe.isEmpty() ? "" : safe.substring(0, 1)).matches();
    return alias(starts ? safe : "_" + safe, tool, GEMINI_CHARS);
  }

  private static String alias(String safe, String tool, int most) {
    int kept = Math.min(safe.length(), most - HASH_DIGITS - 1);
    return safe.substring(0, kept) + "_" + sha256(tool).substring(0, HASH_DIGITS);
  }

  /** The SHA-256 of a text, in hex. */
  static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}

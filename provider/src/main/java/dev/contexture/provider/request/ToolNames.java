package dev.contexture.provider.request;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Tool names as Anthropic and OpenAI take them: letters, digits, underscores and hyphens, 64 at
 * most (V24). Any other name gets an alias that depends on the name alone, so that it is the same
 * in every request: the name with underscores for what is not allowed, and eight digits of its
 * hash, which keep apart what would look alike.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolNames {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9_-]");
  private static final int MAX_CHARS = 64;
  private static final int HASH_DIGITS = 8;

  private ToolNames() {}

  public static String wireName(String tool) {
    if (ALLOWED.matcher(tool).matches()) {
      return tool;
    }
    String safe = OTHER.matcher(tool).replaceAll("_");
    int kept = Math.min(safe.length(), MAX_CHARS - HASH_DIGITS - 1);
    return safe.substring(0, kept) + "_" + sha256(tool).substring(0, HASH_DIGITS);
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}

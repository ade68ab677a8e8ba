package dev.contexture.provider.foreign;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/** Names of other programs in the forms that ids and labels have here. */
final class SafeNames {
  private static final int MAX_ID = 120;
  private static final int MAX_LABEL = 60;
  private static final int DIGITS = 8;

  private SafeNames() {}

  /** An id; empty if nothing of the name is left. */
  static String id(String name) {
    String plain = name.strip().replaceAll("\\s+", "-");
    String safe = plain.replaceAll("[^A-Za-z0-9._@:+-]+", "-");
    return safe.matches("[.-]*") ? "" : distinct(safe, plain, MAX_ID);
  }

  /** A label of a memory block, which cannot be empty. */
  static String label(String name) {
    String plain = name.strip().replaceAll("\\s+", "_");
    String safe = plain.replaceAll("[^A-Za-z0-9_.:-]+", "_");
    return safe.isEmpty() ? "block" : distinct(safe, plain, MAX_LABEL);
  }

  /** What lost more than spaces gets digits of what it was: others would be the same else. */
  private static String distinct(String safe, String plain, int most) {
    if (safe.equals(plain) && safe.length() <= most) {
      return safe;
    }
    String digits = "-" + hash(plain).substring(0, DIGITS);
    return safe.substring(0, Math.min(most - digits.length(), safe.length())) + digits;
  }

  /** What names a text: the same for the same text alone. */
  static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /** The name, or the name with the first number that makes it another one. */
  static String free(String name, Set<String> taken) {
    String free = name;
    for (int n = 2; !taken.add(free); n++) {
      free = name + "-" + n;
    }
    return free;
  }
}

package dev.contexture.engine.archive;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash of a line and of all lines before it. Confined to one thread. */
final class LineHash {
  private byte[] before = {};

  String next(String line) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before);
      before = digest.digest(line.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java has SHA-256", missing);
    }
    return HexFormat.of().formatHex(before);
  }
}

package dev.contexture.view;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.timeline.Summary;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Limits on how much an agent gets when it reads a path, and rules for when it gets it again. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ReadPolicy {
  /** Characters of one path at most. */
  public static final int MAX_CHARS = 48_000;

  private static final long MIN_TOKENS = 4_000;
  private static final long MAX_TOKENS = 12_000;
  private static final long PERCENT_OF_BUDGET = 15;
  private static final long STREAM_SHARE = 6;

  private ReadPolicy() {}

  /** Tokens of one path at most, for a budget of {@code maxTokens}. */
  public static long capTokens(long maxTokens) {
    long share = Math.min(maxTokens, MAX_TOKENS * 100) * PERCENT_OF_BUDGET / 100;
    return Math.max(MIN_TOKENS, Math.min(MAX_TOKENS, share));
  }

  /**
   * Tokens of one path at most, so that the next render shows them whole: at most a sixth of what
   * the stream may have, since models count more than we do and a block above a quarter may become
   * a preview.
   */
  public static long capTokens(long maxTokens, long streamTokens) {
    return Math.max(1, Math.min(capTokens(maxTokens), streamTokens / STREAM_SHARE));
  }

  /** Tokens of all paths of one read at most: a third of what the stream may have. */
  public static long totalTokens(long streamTokens) {
    return Math.max(1, streamTokens / STREAM_SHARE * 2);
  }

  /**
   * Whether the stream already holds this content under this path, shown as it is, so that a read
   * need not emit it again. What is hidden, or lies before the window, does not count.
   */
  public static boolean isVisible(
      View view, BlockPath path, String mime, @Nullable String text, @Nullable Binary data) {
    String wanted = fingerprint(path, mime, text, data);
    for (StreamItem item : view.items()) {
      Summary summary = item.summary().orElse(null);
      if (summary != null && summary.path().equals(path) && summary.text().equals(text)) {
        return true;
      }
      Block block = item.block().orElse(null);
      if (block != null
          && !item.replaced()
          && path.equals(block.path().orElse(null))
          && wanted.equals(
              fingerprint(
                  path, block.mime(), block.text().orElse(null), block.data().orElse(null)))) {
        return true;
      }
    }
    return false;
  }

  /** The SHA-256 of path, mime, text and data. */
  static String fingerprint(
      BlockPath path, String mime, @Nullable String text, @Nullable Binary data) {
    MessageDigest digest = sha256();
    for (String part : new String[] {path.text(), mime, text == null ? "" : text}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
      digest.update(bytes);
    }
    if (data != null) {
      digest.update(data.bytes());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}

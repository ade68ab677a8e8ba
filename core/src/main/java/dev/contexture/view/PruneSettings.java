package dev.contexture.view;

import dev.contexture.block.BlockPath;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Settings for pruning once the provider's cache has expired.
 *
 * @param ttlSeconds how long the provider keeps a prompt; 0: nothing is ever pruned
 * @param bufferSeconds how much earlier it counts as expired
 * @param keepRecentTurns turns that are not replaced as a whole
 * @param keepRecentIntactTurns turns that are not touched at all
 * @param keepRecentImages pictures and PDFs that stay
 * @param maxImageBase64Sum their base64 characters together
 * @param maxTextChars text that stays of a block
 * @param maxFieldChars text that stays of a field of a call
 * @param maxResultFieldChars text that stays of a field of a result
 * @param maxListItems items that stay of a list
 * @param maxMapKeys keys that stay of an object
 * @param maxBase64Chars other binaries up to this size stay
 * @param compactTools tools whose results are shortened; {@code *.name} matches any prefix
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PruneSettings(
    long ttlSeconds,
    long bufferSeconds,
    int keepRecentTurns,
    int keepRecentIntactTurns,
    int keepRecentImages,
    long maxImageBase64Sum,
    int maxTextChars,
    int maxFieldChars,
    int maxResultFieldChars,
    int maxListItems,
    int maxMapKeys,
    int maxBase64Chars,
    List<String> compactTools) {

  public static final PruneSettings DISABLED =
      new PruneSettings(
          0,
          10,
          10,
          2,
          2,
          1_000_000,
          4_000,
          1_000,
          400,
          50,
          80,
          4_000,
          List.of("react.memsearch", "*.web_search", "*.web_fetch"));

  public PruneSettings {
    if (ttlSeconds < 0 || bufferSeconds < 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "cache_ttl_seconds", ttlSeconds, "0 or more seconds");
    }
    compactTools = List.copyOf(compactTools);
  }

  public PruneSettings ttl(long seconds) {
    return new PruneSettings(
        seconds,
        bufferSeconds,
        keepRecentTurns,
        keepRecentIntactTurns,
        keepRecentImages,
        maxImageBase64Sum,
        maxTextChars,
        maxFieldChars,
        maxResultFieldChars,
        maxListItems,
        maxMapKeys,
        maxBase64Chars,
        compactTools);
  }

  boolean compacts(@Nullable String tool, @Nullable BlockPath path) {
    if (path != null && path.kind() == BlockPath.Kind.SKILL) {
      return true;
    }
    return tool != null
        && compactTools.stream()
            .anyMatch(
                name ->
                    name.startsWith("*") ? tool.endsWith(name.substring(1)) : tool.equals(name));
  }
}

package dev.contexture.prompt;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Locale;
import org.apiguardian.api.API;

/** The time at which the memory in the prompt is written again. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum MemoryRefresh {
  /** When an epoch begins; until then changes follow behind the conversation. */
  PER_EPOCH,
  /** In every request. */
  EVERY_BUILD;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws ContextureException {@code invalid_config} if there is none of this name
   */
  public static MemoryRefresh named(String name) {
    for (MemoryRefresh refresh : values()) {
      if (refresh.wireName().equals(name)) {
        return refresh;
      }
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_CONFIG, "memory_refresh", name, "per_epoch or every_build");
  }
}

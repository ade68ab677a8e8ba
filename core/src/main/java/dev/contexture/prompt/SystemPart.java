package dev.contexture.prompt;

import dev.contexture.json.SendableText;
import org.apiguardian.api.API;

/**
 * A text that stands before all messages.
 *
 * @param text blank ones are not sent
 * @param cache whether it and everything before it stays the same, so that a cache may end here
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SystemPart(String text, boolean cache) {
  public SystemPart {
    text = SendableText.of(text);
  }

  /** A text that stays the same. */
  public static SystemPart of(String text) {
    return new SystemPart(text, true);
  }
}

package dev.contexture.model;

import dev.contexture.json.SendableText;
import org.apiguardian.api.API;

/**
 * Text of an answer.
 *
 * @param order its place among the parts of the answer
 * @param text as received, line breaks at its end included, but for what cannot be sent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReplyText(int order, String text) {
  public ReplyText {
    text = SendableText.of(text);
  }
}

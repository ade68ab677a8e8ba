package dev.contexture.render;

import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One message of a model call.
 *
 * @param role who speaks
 * @param parts never empty
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Message(MessageRole role, List<Part> parts) {
  public Message {
    parts = List.copyOf(parts);
  }
}

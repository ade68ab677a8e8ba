package dev.contexture.request;

import dev.contexture.render.Message;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Messages that were changed so that a model takes them.
 *
 * @param messages as they are sent
 * @param places by index of a message before: its index now, or -1 if it is left out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FittedMessages(List<Message> messages, List<Integer> places) {
  public FittedMessages {
    messages = List.copyOf(messages);
    places = List.copyOf(places);
  }
}

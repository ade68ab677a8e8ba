package dev.contexture.request;

import dev.contexture.model.ModelRef;
import dev.contexture.render.Message;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * What Gemini demands of messages: none without content, and the first is the user's (M-99).
 *
 * @param messages as they are sent
 * @param places by index of a message before: its index now, or -1 if it is left out
 */
@API(status = API.Status.STABLE, since = "0.1")
public record GeminiMessages(List<Message> messages, List<Integer> places) {
  private static final String NAME = "gemini";

  public GeminiMessages {
    messages = List.copyOf(messages);
    places = List.copyOf(places);
  }

  /** Whether a model is one of Gemini's, by its provider or its own name. */
  public static boolean isFor(ModelRef model) {
    String name = model.model().toLowerCase(Locale.ROOT);
    return model.provider().toLowerCase(Locale.ROOT).contains(NAME)
        || name.substring(name.lastIndexOf('/') + 1).startsWith(NAME);
  }

  public static GeminiMessages of(List<Message> given) {
    List<Message> kept = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (Message message : given) {
      boolean empty = message.parts().stream().allMatch(GeminiMessages::isBlank);
      if (kept.isEmpty() && !empty && message.role() != MessageRole.USER) {
        kept.add(new Message(MessageRole.USER, List.of(Part.FILLER)));
      }
      places.add(empty ? -1 : kept.size());
      if (!empty) {
        kept.add(message);
      }
    }
    return new GeminiMessages(kept, places);
  }

  private static boolean isBlank(Part part) {
    return part instanceof Part.Text text && text.text().isBlank();
  }
}

package dev.contexture.provider.gemini;

import dev.contexture.model.ModelRef;
import dev.contexture.render.Message;
import dev.contexture.request.FittedMessages;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Fits messages for Gemini: none without content, and the first is the user's. */
final class GeminiMessages {
  private static final String NAME = "gemini";

  private GeminiMessages() {}

  /** Whether a model is one of Gemini's, by its provider or its own name. */
  static boolean isFor(ModelRef model) {
    String name = model.model().toLowerCase(Locale.ROOT);
    return model.provider().toLowerCase(Locale.ROOT).contains(NAME)
        || name.substring(name.lastIndexOf('/') + 1).startsWith(NAME);
  }

  static FittedMessages of(List<Message> given) {
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
    return new FittedMessages(kept, places);
  }

  private static boolean isBlank(Part part) {
    return part instanceof Part.Text text && text.text().isBlank();
  }
}

package dev.contexture.provider.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A conversation of another program, read but not yet sorted into turns.
 *
 * @param id what the other program calls it; null: it has none
 * @param title what people call it; null: nothing
 * @param model the model that answered, where messages do not say; null: not known
 * @param agent the other program's agent; null: none
 * @param at the time of messages that have none; null: not known
 * @param instructions what the model was told beside the messages
 * @param messages in order
 */
@API(status = API.Status.INTERNAL, since = "0.2")
public record ForeignChat(
    @Nullable String id,
    @Nullable String title,
    @Nullable String model,
    @Nullable String agent,
    @Nullable Instant at,
    List<String> instructions,
    List<ForeignMessage> messages) {
  public ForeignChat {
    instructions = List.copyOf(instructions);
    messages = List.copyOf(messages);
  }

  /** Messages without anything known about them. */
  public static ForeignChat of(List<ForeignMessage> messages) {
    return new ForeignChat(null, null, null, null, null, List.of(), messages);
  }

  public ForeignChat id(@Nullable String known) {
    return new ForeignChat(known, title, model, agent, at, instructions, messages);
  }

  public ForeignChat title(@Nullable String known) {
    return new ForeignChat(id, known, model, agent, at, instructions, messages);
  }

  public ForeignChat model(@Nullable String known) {
    return new ForeignChat(id, title, known, agent, at, instructions, messages);
  }

  public ForeignChat agent(@Nullable String known) {
    return new ForeignChat(id, title, model, known, at, instructions, messages);
  }

  public ForeignChat at(@Nullable Instant known) {
    return new ForeignChat(id, title, model, agent, known, instructions, messages);
  }

  public ForeignChat told(List<String> known) {
    return new ForeignChat(id, title, model, agent, at, known, messages);
  }

  /** The messages with a time each: their own, else that of the one before. */
  List<ForeignMessage> timed(Instant absent) {
    List<ForeignMessage> timed = new ArrayList<>();
    Instant last = at == null ? absent : at;
    for (ForeignMessage message : messages) {
      last = message.at() == null ? last : message.at();
      timed.add(message.at(last));
    }
    return timed;
  }
}

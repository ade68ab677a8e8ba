package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.render.Message;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** P-1: what a writer remembers never shows in the bytes. */
class RequestWriterProperties {
  @Property(tries = 200)
  void writesWhatAFreshWriterWrites(@ForAll("edits") List<Edit> edits) {
    RequestWriter claude = Requests.bareAnthropic();
    RequestWriter gpt = Requests.bareChat();
    RequestWriter responses = Requests.bareResponses();
    RequestWriter gemini = Requests.bareGemini();
    List<Message> messages = new ArrayList<>();
    int made = 0;
    for (Edit edit : edits) {
      made = edit.apply(messages, made);
      RequestInput toClaude = input(Requests.CLAUDE, messages, made);
      assertThat(claude.write(toClaude)).isEqualTo(Requests.anthropic(toClaude));
      RequestInput toGpt = input(Requests.GPT, messages, made);
      assertThat(gpt.write(toGpt)).isEqualTo(Requests.chat(toGpt));
      assertThat(responses.write(toGpt)).isEqualTo(Requests.responses(toGpt));
      RequestInput toGemini = input(Requests.GEMINI, messages, made);
      assertThat(gemini.write(toGemini)).isEqualTo(Requests.gemini(toGemini));
    }
  }

  private static RequestInput input(ModelRef model, List<Message> messages, int made) {
    RequestInput.Builder input =
        RequestInput.builder(model, 9)
            .system(List.of(SystemPart.of("system " + made / 7)))
            .messages(List.copyOf(messages));
    return messages.isEmpty()
        ? input.build()
        : input
            .points(
                List.of(
                    new PointPlace(Point.PREV_TURN, messages.size() / 3, 0),
                    new PointPlace(Point.PRE_TAIL, messages.size() / 2, 0),
                    new PointPlace(Point.TAIL, messages.size() - 1, 0)))
            .volatileParts(made % 2)
            .build();
  }

  /** What happens between two requests of a conversation. */
  enum Edit {
    ADD,
    ADD_ROUND,
    DROP_FIRST,
    DROP_MIDDLE,
    REPLACE_LAST,
    RENDER_ANEW,
    NOTHING;

    int apply(List<Message> messages, int made) {
      switch (this) {
        case ADD -> messages.add(Requests.user(Requests.text("m" + made)));
        case ADD_ROUND -> {
          String id = "c" + made;
          messages.add(Requests.assistant(Requests.call(id, "f", "{\"n\":" + made + "}")));
          messages.add(Requests.user(Requests.result(id, Requests.text("r" + made))));
        }
        case DROP_FIRST -> drop(messages, 0);
        case DROP_MIDDLE -> drop(messages, messages.size() / 2);
        case REPLACE_LAST -> {
          drop(messages, messages.size() - 1);
          messages.add(Requests.user(Requests.text("new " + made)));
        }
        case RENDER_ANEW -> messages.replaceAll(Edit::anew);
        case NOTHING -> {}
      }
      return made + 1;
    }

    private static void drop(List<Message> messages, int index) {
      if (index >= 0 && index < messages.size()) {
        messages.remove(index);
      }
    }

    /** The same content in new objects, as a render puts results together. */
    private static Message anew(Message message) {
      return new Message(
          message.role(),
          message.parts().stream()
              .map(
                  part ->
                      part instanceof Part.ToolResult result
                          ? new Part.ToolResult(
                              result.id(),
                              result.providerCallId(),
                              result.isError(),
                              result.content())
                          : part)
              .toList());
    }
  }

  @Provide
  Arbitrary<List<Edit>> edits() {
    return Arbitraries.of(Edit.values()).list().ofMaxSize(40);
  }
}

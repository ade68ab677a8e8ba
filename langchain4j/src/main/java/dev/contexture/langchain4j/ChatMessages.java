package dev.contexture.langchain4j;

import dev.contexture.block.CallId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.Message;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes rendered messages as those of LangChain4j. Results of tools are messages of their own
 * there, and an answer is one message with its thinking and its attributes. Ids of calls are those
 * that the model gave, also if it gave none. Confined to one thread.
 */
final class ChatMessages {
  private static final Map<String, Object> MARKED = Map.of("cache_control", "ephemeral");

  private final Set<List<Integer>> marks;
  private final Map<CallId, String> tools = new HashMap<>();
  private final List<ChatMessage> written = new ArrayList<>();
  private final List<Content> said = new ArrayList<>(); // by the user, not written yet
  private @Nullable Answer answer; // not written yet

  private ChatMessages(Set<List<Integer>> marks) {
    this.marks = marks;
  }

  /** The messages without cache marks. */
  static List<ChatMessage> of(List<Message> messages) {
    return of(messages, Set.of());
  }

  /**
   * The messages.
   *
   * @param marks places of cache marks: the index of a message, then of its part
   */
  static List<ChatMessage> of(List<Message> messages, Set<List<Integer>> marks) {
    ChatMessages writer = new ChatMessages(marks);
    for (int i = 0; i < messages.size(); i++) {
      writer.write(messages.get(i), i);
    }
    return writer.written;
  }

  private void write(Message message, int index) {
    for (int i = 0; i < message.parts().size(); i++) {
      Part part = message.parts().get(i);
      if (message.role() == MessageRole.ASSISTANT) {
        assistant(part);
      } else {
        user(part, marks.contains(List.of(index, i)));
      }
    }
    endAnswer();
    endSaid(false);
  }

  private void user(Part part, boolean marked) {
    if (part instanceof Part.ToolResult result) {
      endSaid(false);
      written.add(result(result, marked));
      return;
    }
    said.add(content(part));
    if (marked) {
      endSaid(true);
    }
  }

  private void endSaid(boolean marked) {
    if (!said.isEmpty()) {
      UserMessage.Builder message = UserMessage.builder().contents(List.copyOf(said));
      written.add((marked ? message.attributes(MARKED) : message).build());
      said.clear();
    }
  }

  private ToolExecutionResultMessage result(Part.ToolResult result, boolean marked) {
    ToolExecutionResultMessage.Builder message =
        ToolExecutionResultMessage.builder()
            .id(result.providerCallId())
            .toolName(tools.getOrDefault(result.id(), ""));
    if (result.isError()) {
      message.isError(true);
    }
    if (marked) {
      message.attributes(MARKED);
    }
    boolean texts = result.content().stream().allMatch(Part.Text.class::isInstance);
    return texts
        ? message.text(text(result.content())).build()
        : message.contents(result.content().stream().map(ChatMessages::content).toList()).build();
  }

  private static String text(List<Part> parts) {
    return parts.stream().map(part -> ((Part.Text) part).text()).collect(Collectors.joining("\n"));
  }

  private static Content content(Part part) {
    return switch (part) {
      case Part.Text text -> TextContent.from(text.text());
      case Part.Image image -> ImageContent.from(base64(image.data().bytes()), image.mediaType());
      case Part.Document pdf -> PdfFileContent.from(base64(pdf.data().bytes()), pdf.mediaType());
      case Part.ToolCall _unused -> throw new IllegalStateException("a call by the user");
      case Part.ToolResult _unused -> throw new IllegalStateException("a result in a result");
      case Part.Opaque _unused -> throw new IllegalStateException("an opaque part by the user");
    };
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private void assistant(Part part) {
    Answer open = answer;
    if (part instanceof Part.Opaque opaque) {
      if (!opaque.provider().equals(LangChainContext.NAME)) {
        return; // only its maker reads it
      }
      if (open != null && !open.reply.equals(opaque.reply())) {
        endAnswer();
        open = null;
      }
      answer = open == null ? new Answer(opaque.reply()) : open;
      answer.extras = (JsonObject) JsonValue.parse(opaque.raw());
      return;
    }
    if (open == null) {
      open = new Answer("");
      answer = open;
    }
    if (part instanceof Part.Text text) {
      open.texts.add(text.text());
    } else if (part instanceof Part.ToolCall call) {
      tools.put(call.id(), call.name());
      open.calls.add(
          ToolExecutionRequest.builder()
              .id(call.providerCallId())
              .name(call.name())
              .arguments(call.arguments())
              .build());
    } else {
      throw new IllegalStateException("a picture, document or result by the assistant");
    }
  }

  private void endAnswer() {
    if (answer != null) {
      written.add(answer.message());
      answer = null;
    }
  }

  /** An answer that is being collected. */
  private static final class Answer {
    private final String reply;
    private final List<String> texts = new ArrayList<>();
    private final List<ToolExecutionRequest> calls = new ArrayList<>();
    private JsonObject extras = JsonObject.EMPTY;

    Answer(String reply) {
      this.reply = reply;
    }

    AiMessage message() {
      AiMessage.Builder message = AiMessage.builder();
      if (!texts.isEmpty()) {
        message.text(String.join("\n\n", texts));
      }
      if (!calls.isEmpty()) {
        message.toolExecutionRequests(List.copyOf(calls));
      }
      extras.string(AnswerExtras.THINKING).ifPresent(message::thinking);
      Map<String, Object> attributes = new LinkedHashMap<>(AnswerExtras.attributes(extras));
      return attributes.isEmpty() ? message.build() : message.attributes(attributes).build();
    }
  }
}

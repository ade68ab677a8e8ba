package dev.contexture.springai;

import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.Message;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeType;

/**
 * Writes rendered messages as those of Spring AI. An answer is one message with its metadata, the
 * results of its calls are one message, and each text of the user is one, with the pictures and
 * documents behind it. Ids of calls are those that the model gave; where it gave none, they are
 * empty, as Spring AI has them. Confined to one thread.
 */
final class SpringMessages {
  private static final String CALL_TYPE = "function";

  private final Map<CallId, String> tools = new HashMap<>();
  private final List<org.springframework.ai.chat.messages.Message> written = new ArrayList<>();
  private final List<ToolResponseMessage.ToolResponse> results = new ArrayList<>();
  private final List<Media> media = new ArrayList<>(); // behind said
  private @Nullable String said; // by the user, not written yet
  private @Nullable Answer answer; // not written yet

  private SpringMessages() {}

  static List<org.springframework.ai.chat.messages.Message> of(List<Message> messages) {
    SpringMessages writer = new SpringMessages();
    for (Message message : messages) {
      for (Part part : message.parts()) {
        if (message.role() == MessageRole.ASSISTANT) {
          writer.assistant(part);
        } else {
          writer.user(part);
        }
      }
      writer.end();
    }
    return writer.written;
  }

  private void end() {
    endAnswer();
    endResults();
    endSaid();
  }

  private void user(Part part) {
    switch (part) {
      case Part.ToolResult result -> {
        endSaid();
        results.add(response(result));
      }
      case Part.Text text -> {
        endResults();
        endSaid();
        said = text.text();
      }
      case Part.Image image -> file(image.mediaType(), image.data());
      case Part.Document pdf -> file(pdf.mediaType(), pdf.data());
      case Part.ToolCall _unused -> throw new IllegalStateException("a call by the user");
      case Part.Opaque _unused -> throw new IllegalStateException("an opaque part by the user");
    }
  }

  private void file(String mime, Binary data) {
    endResults();
    if (said == null) {
      said = "";
    }
    media.add(Media.builder().mimeType(MimeType.valueOf(mime)).data(data.bytes()).build());
  }

  private void endSaid() {
    String text = said;
    if (text != null) {
      written.add(UserMessage.builder().text(text).media(List.copyOf(media)).build());
      said = null;
      media.clear();
    }
  }

  private void endResults() {
    if (!results.isEmpty()) {
      written.add(ToolResponseMessage.builder().responses(List.copyOf(results)).build());
      results.clear();
    }
  }

  private ToolResponseMessage.ToolResponse response(Part.ToolResult result) {
    String text =
        result.content().stream().map(SpringMessages::text).collect(Collectors.joining("\n"));
    return new ToolResponseMessage.ToolResponse(
        blank(result.providerCallId()), tools.getOrDefault(result.id(), ""), text);
  }

  /** A part of a result; a result of Spring AI is text alone. */
  private static String text(Part part) {
    return switch (part) {
      case Part.Text text -> text.text();
      case Part.Image image -> "[" + image.mediaType() + ", not shown]";
      case Part.Document pdf -> "[" + pdf.mediaType() + ", not shown]";
      case Part.ToolCall _unused -> throw new IllegalStateException("a call in a result");
      case Part.ToolResult _unused -> throw new IllegalStateException("a result in a result");
      case Part.Opaque _unused -> throw new IllegalStateException("an opaque part in a result");
    };
  }

  private static String blank(@Nullable String text) {
    return text == null ? "" : text;
  }

  private void assistant(Part part) {
    Answer open = answer;
    if (part instanceof Part.Opaque opaque) {
      if (!opaque.provider().equals(SpringAiContext.NAME)) {
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
          new AssistantMessage.ToolCall(
              blank(call.providerCallId()), CALL_TYPE, call.name(), call.arguments()));
    } else {
      throw new IllegalStateException("a picture, document or result by the assistant");
    }
  }

  private void endAnswer() {
    Answer open = answer;
    answer = null;
    if (open != null && (!open.texts.isEmpty() || !open.calls.isEmpty())) { // else it is refused
      written.add(open.message());
    }
  }

  /** An answer that is being collected. */
  private static final class Answer {
    private final String reply;
    private final List<String> texts = new ArrayList<>();
    private final List<AssistantMessage.ToolCall> calls = new ArrayList<>();
    private JsonObject extras = JsonObject.EMPTY;

    Answer(String reply) {
      this.reply = reply;
    }

    AssistantMessage message() {
      return AssistantMessage.builder()
          .content(String.join("\n\n", texts))
          .properties(MessageExtras.metadata(extras))
          .toolCalls(List.copyOf(calls))
          .build();
    }
  }
}

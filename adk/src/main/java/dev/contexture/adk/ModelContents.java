package dev.contexture.adk;

import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionResponse;
import dev.contexture.block.CallId;
import dev.contexture.json.JsonText;
import dev.contexture.render.Message;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes rendered messages as contents of ADK. Parts of answers that were kept verbatim go back as
 * they came. Ids that ADK made up for calls are left out, as ADK leaves them out. Confined to one
 * thread.
 */
final class ModelContents {
  private static final String MODEL = "model";
  private static final String USER = "user";

  private final Map<CallId, String> tools = new HashMap<>();
  private final List<Content> written = new ArrayList<>();
  private final List<com.google.genai.types.Part> parts = new ArrayList<>(); // not written yet
  private String role = USER; // of the parts
  private boolean results; // whether the parts are results
  private String reply = ""; // the answer that the parts are of
  private boolean verbatim; // whether the next part was written already

  private ModelContents() {}

  static List<Content> of(List<Message> messages) {
    ModelContents writer = new ModelContents();
    for (Message message : messages) {
      for (Part part : message.parts()) {
        if (message.role() == MessageRole.ASSISTANT) {
          writer.said(part);
        } else {
          writer.told(part);
        }
      }
      writer.end();
    }
    return writer.written;
  }

  private void told(Part part) {
    boolean result = part instanceof Part.ToolResult;
    if (result != results) {
      end();
    }
    role = USER;
    results = result;
    if (part instanceof Part.ToolResult answer) {
      result(answer);
    } else {
      parts.add(plain(part));
    }
  }

  private void said(Part part) {
    role = MODEL;
    if (part instanceof Part.Opaque opaque) {
      if (opaque.provider().equals(AdkContext.NAME)) {
        verbatim(opaque);
      }
    } else if (part instanceof Part.ToolCall call) {
      tools.put(call.id(), call.name());
      if (!verbatim) {
        parts.add(call(call));
      }
      verbatim = false;
    } else {
      if (!verbatim) {
        parts.add(plain(part));
      }
      verbatim = false;
    }
  }

  private void verbatim(Part.Opaque opaque) {
    boolean calls = parts.stream().anyMatch(part -> part.functionCall().isPresent());
    if (!opaque.reply().equals(reply) && !calls) { // calls that are answered together stay so
      end();
      role = MODEL;
    }
    reply = opaque.reply();
    verbatim = opaque.verbatim();
    parts.add(com.google.genai.types.Part.fromJson(opaque.raw()));
  }

  /** The id of a call as a model may see it; null: none. */
  private static @Nullable String shown(@Nullable String id) {
    return id == null || EventAnswer.isMadeUp(id) ? null : id;
  }

  private static com.google.genai.types.Part call(Part.ToolCall call) {
    FunctionCall.Builder made =
        FunctionCall.builder().name(call.name()).args(map(call.arguments()));
    String id = shown(call.providerCallId());
    if (id != null) {
      made.id(id);
    }
    return com.google.genai.types.Part.builder().functionCall(made.build()).build();
  }

  private void result(Part.ToolResult result) {
    String text =
        result.content().stream()
            .filter(Part.Text.class::isInstance)
            .map(part -> ((Part.Text) part).text())
            .collect(Collectors.joining("\n"));
    Map<String, Object> response =
        JsonText.isObject(text) ? map(text) : Map.of(result.isError() ? "error" : "result", text);
    FunctionResponse.Builder made =
        FunctionResponse.builder().name(tools.getOrDefault(result.id(), "")).response(response);
    String id = shown(result.providerCallId());
    if (id != null) {
      made.id(id);
    }
    parts.add(com.google.genai.types.Part.builder().functionResponse(made.build()).build());
    result.content().stream()
        .filter(part -> !(part instanceof Part.Text))
        .map(ModelContents::plain)
        .forEach(parts::add);
  }

  @SuppressWarnings("unchecked") // keys of JSON are texts
  private static Map<String, Object> map(String json) {
    return JsonText.isObject(json) ? (Map<String, Object>) AdkJson.read(json) : Map.of();
  }

  private static com.google.genai.types.Part plain(Part part) {
    return switch (part) {
      case Part.Text text -> com.google.genai.types.Part.fromText(text.text());
      case Part.Image image ->
          com.google.genai.types.Part.fromBytes(image.data().bytes(), image.mediaType());
      case Part.Document pdf ->
          com.google.genai.types.Part.fromBytes(pdf.data().bytes(), pdf.mediaType());
      case Part.ToolCall _unused -> throw new IllegalStateException("a call by the user");
      case Part.ToolResult _unused -> throw new IllegalStateException("a result out of place");
      case Part.Opaque _unused -> throw new IllegalStateException("an opaque part by the user");
    };
  }

  private void end() {
    if (!parts.isEmpty()) {
      written.add(Content.builder().role(role).parts(List.copyOf(parts)).build());
      parts.clear();
    }
    verbatim = false;
  }
}

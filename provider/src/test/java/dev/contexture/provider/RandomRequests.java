package dev.contexture.provider;

import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.render.Message;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ThinkingChoice;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random conversations in neutral form, in order or broken, from a seed. */
final class RandomRequests {
  private static final List<String> TEXTS =
      List.of("hi", " ", "a\"b\\", "line\n", "\u00e4\u2028", "4 C, rain", "{\"x\":1}");
  private static final List<String> TOOLS = List.of("get_weather", "react.read", "1 odd name");
  private static final List<String> SCHEMAS =
      List.of(
          "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}",
          "{\"type\":\"object\",\"additionalProperties\":{}}");
  private static final List<String> ARGUMENTS = List.of("{}", "", "{\"a\": [1.0, {}]}", "oops");

  private final Random random;
  private int ids;

  RandomRequests(long seed) {
    random = new Random(seed);
  }

  RequestInput input(ModelRef model, List<Message> messages) {
    boolean hasTools = random.nextInt(4) > 0;
    List<ToolDef> tools = new ArrayList<>();
    if (hasTools) {
      TOOLS.forEach(name -> tools.add(new ToolDef(name, "does it", "{\"type\":\"object\"}")));
    }
    return RequestInput.builder(model, 1 + random.nextInt(1000))
        .system(random.nextBoolean() ? List.of(SystemPart.of("You are Atlas.")) : List.of())
        .tools(tools)
        .toolChoice(choice(hasTools))
        .params(params())
        .messages(messages)
        .build();
  }

  private ToolChoice choice(boolean hasTools) {
    return switch (random.nextInt(10)) {
      case 0 -> ToolChoice.REQUIRED;
      case 1 -> ToolChoice.tool(pick(TOOLS));
      case 2 -> hasTools ? ToolChoice.NONE : ToolChoice.AUTO;
      case 3 -> random.nextInt(10) == 0 ? ToolChoice.tool("nobody") : ToolChoice.AUTO;
      default -> ToolChoice.AUTO;
    };
  }

  private RequestParams params() {
    return switch (random.nextInt(12)) {
      case 0 -> RequestParams.NONE.withThinking(ThinkingChoice.ADAPTIVE);
      case 1 -> RequestParams.NONE.withThinking(ThinkingChoice.budget(1 + random.nextInt(2000)));
      case 2 -> RequestParams.NONE.withEffort(pick(List.of(Effort.values())));
      case 3 -> RequestParams.NONE.withOutputSchema(OutputSchema.of("answer", pick(SCHEMAS)));
      default -> RequestParams.NONE;
    };
  }

  /** A conversation as a render gives it, ending with the user. */
  List<Message> conversation() {
    List<Message> messages = new ArrayList<>();
    messages.add(user());
    for (int i = random.nextInt(6); i > 0; i--) {
      if (random.nextBoolean()) {
        round(messages);
      } else {
        List<Part> said = new ArrayList<>(List.of(new Part.Text("said " + i)));
        if (random.nextInt(4) == 0) {
          searched(said);
        }
        messages.add(new Message(MessageRole.ASSISTANT, said));
        messages.add(user());
      }
    }
    return messages;
  }

  /** A search that the provider ran itself. */
  private void searched(List<Part> said) {
    String id = "srvtoolu_" + ids++;
    said.add(Requests.search(id));
    said.add(Requests.found(id));
    if (random.nextInt(3) == 0) {
      said.add(new Part.Text("found " + ids));
    }
  }

  private void round(List<Message> messages) {
    List<Part> said = new ArrayList<>();
    List<Part> results = new ArrayList<>();
    if (random.nextBoolean()) {
      said.add(new Part.Text(pick(TEXTS)));
    }
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      CallId id = CallId.of("c" + ids++);
      String own =
          random.nextInt(4) == 0 ? null : random.nextInt(6) == 0 ? "odd:" + ids : "p" + ids;
      said.add(new Part.ToolCall(id, own, pick(TOOLS), pick(ARGUMENTS)));
      results.add(new Part.ToolResult(id, own, random.nextInt(4) == 0, content()));
    }
    if (random.nextInt(3) == 0) {
      results.add(new Part.Text("and " + ids));
    }
    messages.add(new Message(MessageRole.ASSISTANT, said));
    messages.add(new Message(MessageRole.USER, results));
  }

  private List<Part> content() {
    List<Part> content = new ArrayList<>();
    for (int n = random.nextInt(3); n > 0; n--) {
      content.add(random.nextInt(4) == 0 ? media() : new Part.Text(pick(TEXTS)));
    }
    return content;
  }

  private Message user() {
    List<Part> parts = new ArrayList<>(content());
    parts.add(new Part.Text("q" + ids++));
    return new Message(MessageRole.USER, parts);
  }

  private Part media() {
    Binary bytes = Binary.of(new byte[] {(byte) random.nextInt(100)});
    return random.nextBoolean()
        ? new Part.Image("image/png", bytes)
        : new Part.Document("application/pdf", bytes);
  }

  /** Cuts, drops, doubles and moves messages and parts. */
  List<Message> broken(List<Message> messages) {
    List<Message> broken = new ArrayList<>(messages);
    for (int n = 1 + random.nextInt(4); n > 0 && !broken.isEmpty(); n--) {
      int at = random.nextInt(broken.size());
      Message message = broken.get(at);
      List<Part> parts = new ArrayList<>(message.parts());
      switch (random.nextInt(6)) {
        case 0 -> broken.remove(at);
        case 1 -> broken.add(random.nextInt(broken.size() + 1), message);
        case 2 -> broken.add(random.nextInt(broken.size()), broken.remove(at));
        case 3 -> {
          parts.remove(random.nextInt(parts.size()));
          broken.remove(at);
          if (!parts.isEmpty()) {
            broken.add(at, new Message(message.role(), parts));
          }
        }
        case 4 -> {
          parts.add(random.nextInt(parts.size() + 1), parts.get(random.nextInt(parts.size())));
          broken.set(at, new Message(message.role(), parts));
        }
        default -> broken.subList(0, at).clear();
      }
    }
    return broken;
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}

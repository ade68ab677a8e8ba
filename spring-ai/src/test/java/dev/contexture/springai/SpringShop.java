package dev.contexture.springai;

import dev.contexture.json.JavaValues;
import dev.contexture.json.JsonValue;
import dev.contexture.token.TokenCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AbstractMessage;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

/**
 * Twenty turns about orders, each with reasoning, calls of a tool and results, through a
 * ChatClient. Every fifth turn makes two calls at once, every third gives its call no id. The user
 * says who she is in the first turn.
 */
final class SpringShop {
  static final int TURNS = 20;
  static final int BUDGET = 6_000;
  static final int HISTORY = 2_400; // what a request of that size leaves to the conversation
  static final String FACTS = "I am Ann Halvorsen, my customer number is K-4711, I live in Oslo.";
  static final String REASONING = "reasoningContent"; // as clients of OpenAI's interface have it

  /** The one tool. */
  static final class Orders {
    @Tool(description = "Looks an order up")
    String order(@ToolParam(description = "its number") String number) {
      return result(number);
    }
  }

  private int turn;
  private int calls;
  final SpringScript model = new SpringScript(this::answer);

  static String result(String number) {
    return IntStream.rangeClosed(1, 12)
        .mapToObj(
            item ->
                String.format(
                    Locale.ROOT, "%d pairs of hiking socks, grey, size %d; ", item, 35 + item))
        .collect(Collectors.joining("", "Order " + number + ": ", "sent with Posten."));
  }

  static String prompt(int turn) {
    return turn == 1 ? FACTS + " Where is order O-1?" : "And where is order O-" + turn + "?";
  }

  /** How many calls of the tool a turn makes. */
  static int callsOf(int turn) {
    return turn % 5 == 0 ? 2 : 1;
  }

  private List<AssistantMessage> answer(Prompt prompt) {
    boolean begins = SpringScript.begins(prompt);
    Map<String, Object> thought =
        Map.of(REASONING, "Turn " + turn + ": " + (begins ? "look" : "tell"));
    if (!begins) {
      return List.of(
          AssistantMessage.builder()
              .content("O-" + turn + " is sent.")
              .properties(thought)
              .build());
    }
    List<AssistantMessage.ToolCall> wanted = new ArrayList<>();
    for (int i = 0; i < callsOf(turn); i++) {
      calls++;
      wanted.add(
          SpringScript.call(
              turn % 3 == 0 ? "" : "call_" + calls,
              "order",
              "{\"number\": \"O-" + turn + (i == 0 ? "" : "b") + "\"}"));
    }
    return List.of(
        AssistantMessage.builder().content("").properties(thought).toolCalls(wanted).build());
  }

  /** Runs some of the turns with a memory. */
  void run(
      String id,
      int from,
      int to,
      boolean stream,
      Function<ChatClient.Builder, ChatClient.Builder> memory) {
    ChatClient client =
        memory
            .apply(
                ChatClient.builder(model)
                    .defaultSystem("You are Atlas, who answers for a shop. Be brief.")
                    .defaultTools(new Orders()))
            .build();
    for (turn = from; turn <= to; turn++) {
      ChatClient.ChatClientRequestSpec asked =
          client.prompt(prompt(turn)).advisors(a -> a.param(ChatMemory.CONVERSATION_ID, id));
      String said =
          stream
              ? asked.stream().content().collect(Collectors.joining()).block()
              : asked.call().content();
      if (!("O-" + turn + " is sent.").equals(said)) {
        throw new IllegalStateException(said);
      }
    }
  }

  /** The tokens of all texts, calls and results of messages. */
  static int tokens(List<Message> messages) {
    return Math.toIntExact(
        messages.stream().mapToLong(message -> TokenCounter.O200K_BASE.count(text(message))).sum());
  }

  /** Everything that a message says. */
  static String text(Message message) {
    return switch (message) {
      case SystemMessage said -> "system: " + said.getText();
      case UserMessage said -> "user: " + said.getText();
      case ToolResponseMessage said -> "results: " + said.getResponses();
      case AssistantMessage said -> {
        Map<String, Object> about = new TreeMap<>(said.getMetadata());
        about.remove(AbstractMessage.MESSAGE_TYPE);
        yield "model: " + about + said.getText() + (said.hasToolCalls() ? said.getToolCalls() : "");
      }
      default -> throw new IllegalArgumentException(message.toString());
    };
  }

  static List<String> texts(List<Message> messages) {
    return messages.stream().map(SpringShop::text).toList();
  }

  static long results(List<Message> messages) {
    return messages.stream()
        .filter(ToolResponseMessage.class::isInstance)
        .mapToLong(results -> ((ToolResponseMessage) results).getResponses().size())
        .sum();
  }

  static long calls(List<Message> messages) {
    return messages.stream()
        .filter(AssistantMessage.class::isInstance)
        .mapToLong(said -> ((AssistantMessage) said).getToolCalls().size())
        .sum();
  }

  private static long thoughts(List<Message> messages) {
    return messages.stream()
        .filter(AssistantMessage.class::isInstance)
        .filter(said -> said.getMetadata().containsKey(REASONING))
        .count();
  }

  /** How many results have no call before them, and calls no result behind them. */
  static long orphans(List<Message> messages) {
    long waiting = 0;
    long orphans = 0;
    for (Message message : messages) {
      if (message instanceof ToolResponseMessage results) {
        orphans += Math.abs(waiting - results.getResponses().size());
        waiting = 0;
      } else {
        orphans += waiting;
        waiting = message instanceof AssistantMessage said ? said.getToolCalls().size() : 0;
      }
    }
    return orphans + waiting;
  }

  /** Whether a request begins with all that the one before it had. */
  boolean goesOn(int index) {
    List<String> before = prefix(model.sent.get(index - 1));
    List<String> now = prefix(model.sent.get(index));
    return now.size() >= before.size() && now.subList(0, before.size()).equals(before);
  }

  /** What a request begins with: each message as JSON, with all that it is made of. */
  static List<String> prefix(List<Message> messages) {
    return messages.stream().map(message -> json(parts(message)).toJson()).toList();
  }

  private static List<Object> parts(Message message) {
    List<Object> parts = new ArrayList<>();
    parts.add(message.getMessageType().name());
    parts.add(Objects.requireNonNullElse(message.getText(), ""));
    if (message instanceof AssistantMessage said) {
      parts.add(new TreeMap<>(said.getMetadata())); // that of others is for nobody to send
      for (AssistantMessage.ToolCall call : said.getToolCalls()) {
        parts.add(List.of(call.id(), call.type(), call.name(), call.arguments()));
      }
    } else if (message instanceof ToolResponseMessage results) {
      for (ToolResponseMessage.ToolResponse result : results.getResponses()) {
        parts.add(List.of(result.id(), result.name(), result.responseData()));
      }
    }
    return parts;
  }

  private static JsonValue json(Object value) {
    return JavaValues.json(value, other -> Optional.of(JsonValue.of(other.toString())))
        .orElseThrow();
  }

  /** What is left in a list of messages, and what was sent on the way there. */
  String row(String memory, List<Message> left) {
    return row(
        memory,
        Map.of(
            "prompts", left.stream().filter(UserMessage.class::isInstance).count(),
            "calls", calls(left),
            "results", results(left),
            "thoughts", thoughts(left)));
  }

  /** A row of the table in the documentation. */
  String row(String memory, Map<String, Long> left) {
    String end = String.join("\n", texts(model.last()));
    return String.format(
        Locale.ROOT,
        "| %s | %d of %d | %d of %d | %d of %d | %d of %d | %s | %d of %d | %,d |",
        memory,
        left.getOrDefault("prompts", 0L),
        TURNS,
        left.getOrDefault("calls", 0L),
        TURNS + TURNS / 5,
        left.getOrDefault("results", 0L),
        TURNS + TURNS / 5,
        left.getOrDefault("thoughts", 0L),
        2 * TURNS,
        end.contains("K-4711") && end.contains("Oslo") ? "yes" : "no",
        IntStream.range(1, model.sent.size()).filter(index -> !goesOn(index)).count(),
        2 * TURNS - 1,
        model.sent.stream().mapToInt(SpringShop::tokens).max().orElse(0));
  }
}

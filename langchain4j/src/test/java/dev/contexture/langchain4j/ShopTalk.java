package dev.contexture.langchain4j;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.token.TokenCounter;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.TokenCountEstimator;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Twenty turns about orders, each with thinking, calls of a tool and results, through AiServices.
 * Every fifth turn makes two calls at once, every third gives its call no id. The user says who she
 * is in the first turn.
 */
final class ShopTalk {
  static final int TURNS = 20;
  static final int BUDGET = 6_000;
  static final int HISTORY = 2_400; // what a request of that size leaves to the conversation
  static final String FACTS = "I am Ann Halvorsen, my customer number is K-4711, I live in Oslo.";

  /** What users write. */
  interface Assistant {
    @dev.langchain4j.service.SystemMessage("You are Atlas, who answers for a shop. Be brief.")
    String chat(@MemoryId Object id, @dev.langchain4j.service.UserMessage String text);
  }

  /** The one tool. */
  static final class Shop {
    @Tool("Looks an order up")
    String order(@P("its number") String number) {
      return result(number);
    }
  }

  private int turn;
  private int calls;
  final List<String> thoughts = new ArrayList<>();
  final ScriptedChatModel model = new ScriptedChatModel(this::answer);

  static String result(String number) {
    StringBuilder text = new StringBuilder("Order " + number + ": ");
    for (int item = 1; item <= 12; item++) {
      text.append(
          String.format(Locale.ROOT, "%d pairs of hiking socks, grey, size %d; ", item, 35 + item));
    }
    return text + "sent with Posten.";
  }

  static String prompt(int turn) {
    return turn == 1 ? FACTS + " Where is order O-1?" : "And where is order O-" + turn + "?";
  }

  /** How many calls of the tool a turn makes. */
  static int callsOf(int turn) {
    return turn % 5 == 0 ? 2 : 1;
  }

  private AiMessage answer(ChatRequest request) {
    String thought = "Turn " + turn + ": " + (ScriptedChatModel.begins(request) ? "look" : "tell");
    thoughts.add(thought);
    if (!ScriptedChatModel.begins(request)) {
      return ScriptedChatModel.thinking(thought).toBuilder()
          .text("O-" + turn + " is sent.")
          .build();
    }
    ToolExecutionRequest[] wanted = new ToolExecutionRequest[callsOf(turn)];
    for (int i = 0; i < wanted.length; i++) {
      calls++;
      wanted[i] =
          ScriptedChatModel.call(
              turn % 3 == 0 ? null : "call_" + calls,
              "order",
              "{\"number\": \"O-" + turn + (i == 0 ? "" : "b") + "\"}");
    }
    return ScriptedChatModel.thinking(thought, wanted);
  }

  /** Runs some of the turns with a memory. */
  void run(Object id, int from, int to, UnaryOperator<AiServices<Assistant>> memory) {
    Assistant assistant =
        memory
            .apply(AiServices.builder(Assistant.class).chatModel(model).tools(new Shop()))
            .build();
    for (turn = from; turn <= to; turn++) {
      String said = assistant.chat(id, prompt(turn));
      if (!said.equals("O-" + turn + " is sent.")) {
        throw new IllegalStateException(said);
      }
    }
  }

  /** The tokens of all texts, calls and results of messages. */
  static int tokens(Iterable<ChatMessage> messages) {
    long tokens = 0;
    for (ChatMessage message : messages) {
      tokens += TokenCounter.O200K_BASE.count(text(message));
    }
    return Math.toIntExact(tokens);
  }

  /** Everything that a message says; cache marks move and do not count. */
  static String text(ChatMessage message) {
    return switch (message) {
      case SystemMessage said -> "system: " + said.text();
      case UserMessage said -> "user: " + UserPrompt.text(said);
      case ToolExecutionResultMessage said -> "result of " + said.id() + ": " + said.text();
      case AiMessage said ->
          "model: "
              + Objects.toString(said.thinking(), "")
              + new java.util.TreeMap<>(said.attributes())
              + Objects.toString(said.text(), "")
              + (said.hasToolExecutionRequests() ? said.toolExecutionRequests() : "");
      default -> throw new IllegalArgumentException(message.toString());
    };
  }

  static List<String> texts(List<ChatMessage> messages) {
    return messages.stream().map(ShopTalk::text).toList();
  }

  /** How many results have no call before them, and calls no result behind them. */
  static long orphans(List<ChatMessage> messages) {
    long waiting = 0;
    long orphans = 0;
    for (ChatMessage message : messages) {
      if (message instanceof ToolExecutionResultMessage) {
        orphans += waiting == 0 ? 1 : 0;
        waiting = Math.max(0, waiting - 1);
      } else {
        orphans += waiting;
        waiting = message instanceof AiMessage said ? said.toolExecutionRequests().size() : 0;
      }
    }
    return orphans + waiting;
  }

  /** Counts tokens as {@link #tokens} does. */
  static final TokenCountEstimator ESTIMATOR =
      new TokenCountEstimator() {
        @Override
        public int estimateTokenCountInText(String text) {
          return Math.toIntExact(TokenCounter.O200K_BASE.count(text));
        }

        @Override
        public int estimateTokenCountInMessage(ChatMessage message) {
          return tokens(List.of(message));
        }

        @Override
        public int estimateTokenCountInMessages(Iterable<ChatMessage> messages) {
          return tokens(messages);
        }
      };

  /** What became of the conversation. */
  record Losses(
      String memory,
      long prompts,
      long calls,
      long results,
      long thoughts,
      boolean facts,
      long prefixesBroken,
      int largest) {
    /** A row of the table in the documentation. */
    String row() {
      return String.format(
          Locale.ROOT,
          "| %s | %d of %d | %d of %d | %d of %d | %d of %d | %s | %d of %d | %,d |",
          memory,
          prompts,
          TURNS,
          calls,
          TURNS + TURNS / 5,
          results,
          TURNS + TURNS / 5,
          thoughts,
          2 * TURNS,
          facts ? "yes" : "no",
          prefixesBroken,
          2 * TURNS - 1,
          largest);
    }
  }

  /** What is left in a list of messages, and what was sent on the way there. */
  Losses losses(String memory, List<ChatMessage> left) {
    long calls =
        left.stream()
            .filter(AiMessage.class::isInstance)
            .mapToLong(said -> ((AiMessage) said).toolExecutionRequests().size())
            .sum();
    return losses(
        memory,
        Map.of(
            "prompts", left.stream().filter(UserMessage.class::isInstance).count(),
            "calls", calls,
            "results", left.stream().filter(ToolExecutionResultMessage.class::isInstance).count(),
            "thoughts", left.stream().filter(ShopTalk::thinks).count()));
  }

  private static boolean thinks(ChatMessage message) {
    return message instanceof AiMessage said && said.thinking() != null;
  }

  Losses losses(String memory, Map<String, Long> left) {
    String end = String.join("\n", texts(model.last()));
    return new Losses(
        memory,
        left.getOrDefault("prompts", 0L),
        left.getOrDefault("calls", 0L),
        left.getOrDefault("results", 0L),
        left.getOrDefault("thoughts", 0L),
        end.contains("K-4711") && end.contains("Oslo"),
        prefixesBroken(),
        model.sent.stream().mapToInt(request -> tokens(request.messages())).max().orElse(0));
  }

  /** How many requests do not begin with all that the request before them had. */
  private long prefixesBroken() {
    long broken = 0;
    for (int i = 1; i < model.sent.size(); i++) {
      broken += goesOn(i) ? 0 : 1;
    }
    return broken;
  }

  /** Whether a request begins with all that the one before it had. */
  boolean goesOn(int index) {
    List<String> before = prefix(model.sent.get(index - 1));
    List<String> now = prefix(model.sent.get(index));
    return now.size() >= before.size() && now.subList(0, before.size()).equals(before);
  }

  /** What a request begins with, as JSON: tools, then each message; cache marks move. */
  static List<String> prefix(ChatRequest request) {
    List<String> prefix = new ArrayList<>();
    prefix.add(String.valueOf(request.toolSpecifications()));
    for (ChatMessage message : request.messages()) {
      JsonObject json = (JsonObject) JsonValue.parse(ChatMessageSerializer.messageToJson(message));
      JsonObject attributes =
          json.object("attributes").orElse(JsonObject.EMPTY).without("cache_control");
      prefix.add(json.without("attributes").toJson() + attributes.toJson());
    }
    return prefix;
  }
}

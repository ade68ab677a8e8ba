package dev.contexture.adk;

import com.google.adk.agents.LlmAgent;
import com.google.adk.events.Event;
import com.google.adk.models.LlmRequest;
import com.google.adk.runner.Runner;
import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.FunctionTool;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.contexture.token.TokenCounter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Twenty turns about orders, each with thoughts, calls of a tool and results, through ADK's Runner.
 * Every fifth turn makes two calls at once, every third gives its call no id. The user says who she
 * is in the first turn.
 */
final class ShopRuns {
  static final int TURNS = 20;
  static final int BUDGET = 6_000;
  static final int HISTORY = 2_400; // what a request of that size leaves to the conversation
  static final String APP = "shop";
  static final String USER = "ann";
  static final String SESSION = "orders";
  static final String FACTS = "I am Ann Halvorsen, my customer number is K-4711, I live in Oslo.";

  private int turn;
  private int calls;
  final ScriptedLlm model = new ScriptedLlm(this::answer);

  /** The one tool. ADK calls it by reflection. */
  public static final class Shop {
    private Shop() {}

    @Schema(name = "order", description = "Looks an order up")
    public static Map<String, Object> order(
        @Schema(name = "number", description = "its number") String number) {
      return Map.of("order", result(number));
    }
  }

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

  static LlmAgent agent(ScriptedLlm model) {
    return LlmAgent.builder()
        .name("atlas")
        .model(model)
        .instruction("You are Atlas, who answers for a shop. Be brief.")
        .tools(FunctionTool.create(Shop.class, "order"))
        .build();
  }

  private List<Part> answer(LlmRequest request) {
    awaitNextMillisecond();
    boolean begins = ScriptedLlm.begins(request);
    String thought = "Turn " + turn + ": " + (begins ? "look" : "tell");
    List<Part> parts = new ArrayList<>(List.of(ScriptedLlm.thought(thought)));
    if (!begins) {
      parts.add(ScriptedLlm.text("O-" + turn + " is sent.", "signed " + thought));
      return parts;
    }
    for (int i = 0; i < callsOf(turn); i++) {
      calls++;
      parts.add(
          ScriptedLlm.call(
              turn % 3 == 0 ? null : "call_" + calls,
              "order",
              Map.of("number", "O-" + turn + (i == 0 ? "" : "b")),
              "signed " + thought));
    }
    return parts;
  }

  /** Runs some of the turns with a runner that somebody makes; the session must be there. */
  void run(int from, int to, Function<LlmAgent, Runner.Builder> services) {
    Runner runner = services.apply(agent(model)).build();
    for (turn = from; turn <= to; turn++) {
      awaitNextMillisecond();
      Content said = Content.builder().role("user").parts(Part.fromText(prompt(turn))).build();
      List<Event> events = runner.runAsync(USER, SESSION, said).toList().blockingGet();
      String last = text(events.getLast().content().orElseThrow());
      if (!last.endsWith("O-" + turn + " is sent.")) {
        throw new IllegalStateException(last);
      }
    }
    runner.close().blockingAwait();
  }

  /**
   * Gives what follows a later time than what is there, as ADK chooses by time what it summarises.
   */
  private static void awaitNextMillisecond() {
    InstantSource clock = InstantSource.system();
    long now = clock.millis();
    while (clock.millis() == now) {
      Thread.onSpinWait();
    }
  }

  static String text(Content content) {
    return content.parts().orElseThrow().stream()
        .flatMap(part -> part.text().stream())
        .collect(Collectors.joining("\n"));
  }

  /** What a request begins with, as bytes would be: instructions, then each content. */
  static List<String> prefix(LlmRequest request) {
    List<String> prefix = new ArrayList<>();
    prefix.add(request.config().orElseThrow().toJson());
    request.contents().forEach(content -> prefix.add(content.toJson()));
    return prefix;
  }

  /** The tokens of what is said, called and given. */
  static long tokens(LlmRequest request) {
    return request.contents().stream()
        .flatMap(content -> content.parts().orElse(List.of()).stream())
        .mapToLong(part -> TokenCounter.O200K_BASE.count(words(part)))
        .sum();
  }

  private static String words(Part part) {
    return part.text().orElse("")
        + part.functionCall().map(call -> call.name() + " " + call.args()).orElse("")
        + part.functionResponse().map(given -> given.name() + " " + given.response()).orElse("")
        + part.thoughtSignature().map(s -> new String(s, StandardCharsets.UTF_8)).orElse("");
  }

  /** How many results have no call right before them, and calls no result right behind them. */
  static long orphans(List<Content> contents) {
    long waiting = 0;
    long orphans = 0;
    for (Content content : contents) {
      List<Part> parts = content.parts().orElse(List.of());
      long results = parts.stream().filter(part -> part.functionResponse().isPresent()).count();
      orphans += Math.abs(waiting - results);
      waiting = parts.stream().filter(part -> part.functionCall().isPresent()).count();
    }
    return orphans + waiting;
  }

  /** Whether a request begins with all that the one before it had. */
  boolean goesOn(int index) {
    List<String> before = prefix(model.sent.get(index - 1));
    List<String> now = prefix(model.sent.get(index));
    return now.size() >= before.size() && now.subList(0, before.size()).equals(before);
  }

  /** What became of the conversation: a row of the table in the documentation. */
  String row(String memory, List<Event> left) {
    Set<String> said =
        left.stream()
            .filter(event -> "user".equals(event.author()))
            .flatMap(event -> event.content().stream())
            .map(ShopRuns::text)
            .collect(Collectors.toSet());
    long prompts = 0;
    for (int i = 1; i <= TURNS; i++) {
      prompts += said.contains(prompt(i)) ? 1 : 0;
    }
    long broken = 0;
    for (int i = 1; i < model.sent.size(); i++) {
      broken += goesOn(i) ? 0 : 1;
    }
    String end = String.join("\n", prefix(model.sent.getLast()));
    int all = TURNS + TURNS / 5;
    return String.format(
        Locale.ROOT,
        "| %s | %d of %d | %d of %d | %d of %d | %d of %d | %s | %d of %d | %,d |",
        memory,
        prompts,
        TURNS,
        left.stream().mapToLong(event -> event.functionCalls().size()).sum(),
        all,
        left.stream().mapToLong(event -> event.functionResponses().size()).sum(),
        all,
        left.stream().filter(ShopRuns::thinks).count(),
        2 * TURNS,
        end.contains("K-4711") && end.contains("Oslo") ? "yes" : "no",
        broken,
        model.sent.size() - 1,
        model.sent.stream().mapToLong(ShopRuns::tokens).max().orElse(0));
  }

  private static boolean thinks(Event event) {
    return event.content().flatMap(Content::parts).orElse(List.of()).stream()
        .anyMatch(part -> part.thought().orElse(false));
  }
}

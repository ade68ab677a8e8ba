package dev.contexture.adk;

import com.google.adk.agents.CallbackContext;
import com.google.adk.agents.InvocationContext;
import com.google.adk.agents.LlmAgent;
import com.google.adk.events.Event;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.plugins.BasePlugin;
import com.google.genai.types.Content;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.Part;
import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.turn.WaitingPolicy;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Makes each request of a run: instructions, memory, conversation and tools within the budget,
 * compacted if need be, proved against the rules of the provider and kept in the ledger. Takes what
 * a call cost from its answer, and closes the turn when the run ends.
 *
 * <p>Requests that it does not make go as ADK made them: those of runs over other sessions, of
 * agents that want no history ({@code includeContents(NONE)}), of branches of a {@code
 * ParallelAgent}. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContexturePlugin extends BasePlugin {
  private static final String SEPARATOR = "\n\n";
  private static final int MAX_REASON_CHARS = 200;
  private static final System.Logger LOG = System.getLogger(ContexturePlugin.class.getName());

  /** What ADK writes above what another agent said. */
  private static final String REPHRASED = "For context:";

  private final AdkContext context;

  ContexturePlugin(AdkContext context) {
    super("contexture");
    this.context = context;
  }

  /**
   * Writes the contents of a request anew.
   *
   * @return nothing; it fails with a {@code ContextureException} if the request cannot be made,
   *     such as {@code budget_too_small}, or {@code turn_in_progress} if a newer message of the
   *     user has interrupted the run
   */
  @Override
  public Maybe<LlmResponse> beforeModelCallback(
      CallbackContext callback, LlmRequest.Builder request) {
    InvocationContext invocation = callback.invocationContext();
    return makes(invocation) ? Maybe.fromAction(() -> make(invocation, request)) : Maybe.empty();
  }

  private boolean isOurs(InvocationContext invocation) {
    return invocation.sessionService() == context.sessions();
  }

  private boolean makes(InvocationContext invocation) {
    boolean all =
        invocation.agent() instanceof LlmAgent agent
            && agent.includeContents() != LlmAgent.IncludeContents.NONE;
    return isOurs(invocation) && all && invocation.branch().filter(b -> !b.isEmpty()).isEmpty();
  }

  private ContextBrowser browser(InvocationContext invocation) {
    return context.browser(scope(invocation));
  }

  private Scope.OfConversation scope(InvocationContext invocation) {
    return context.scope(invocation.appName(), invocation.userId(), invocation.session().id());
  }

  private boolean isSuperseded(InvocationContext invocation) {
    return context.isSuperseded(scope(invocation), invocation.invocationId());
  }

  private void make(InvocationContext invocation, LlmRequest.Builder request) {
    if (isSuperseded(invocation)) {
      throw new ContextureException(
          ErrorCode.TURN_IN_PROGRESS,
          String.format(
              Locale.ROOT,
              "run %s of session %s was interrupted by a newer message of the user; do not run a"
                  + " session twice at the same time",
              invocation.invocationId(),
              invocation.session().id()));
    }
    LlmRequest asked = request.build();
    GenerateContentConfig config =
        asked.config().orElseGet(() -> GenerateContentConfig.builder().build());
    RequestBuilder builder =
        browser(invocation)
            .openTurn()
            .request(context.provider(), context.target().model().model())
            .carrier(AdkContext.NAME)
            .adds(context.adds())
            .waiting(WaitingPolicy.OMIT)
            .tools(ToolDeclarations.of(config));
    if (context.agent() != null) {
      builder.agent(context.agent());
    }
    if (context.config() != null) {
      builder.config(context.config());
    }
    config.maxOutputTokens().ifPresent(builder::maxOutputTokens);
    String instructions = instructions(config);
    if (!instructions.isBlank()) {
      builder.instructions(instructions);
    }
    ContextRequest made = builder.build();
    context.ask(scope(invocation), new AdkContext.Asked(made.id(), null));
    List<Content> contents = new ArrayList<>(ModelContents.of(made.assembled().messages()));
    contents.addAll(
        added(asked.contents(), invocation.session().events(), invocation.agent().name()));
    request.contents(contents);
    String system = String.join(SEPARATOR, made.assembled().system());
    if (!system.equals(instructions)) {
      Content content = Content.builder().role("user").parts(Part.fromText(system)).build();
      request.config(config.toBuilder().systemInstruction(content).build());
    }
  }

  private static String instructions(GenerateContentConfig config) {
    List<String> texts =
        config.systemInstruction().flatMap(Content::parts).orElse(List.of()).stream()
            .flatMap(part -> part.text().stream())
            .toList();
    return String.join(SEPARATOR, texts);
  }

  /**
   * What tools of ADK put behind the conversation, such as artifacts that were loaded. What another
   * agent said last stands there in ADK's words.
   */
  private static List<Content> added(List<Content> asked, List<Event> events, String agent) {
    Event newest = null;
    for (Event event : events) {
      newest = event.content().isPresent() ? event : newest;
    }
    if (newest == null) {
      return List.of();
    }
    String last = words(newest.content().orElseThrow());
    boolean others = !agent.equals(newest.author()) && !EventStep.opensTurn(newest);
    for (int i = asked.size() - 1; i >= 0; i--) {
      if (words(asked.get(i)).equals(last) || (others && isRephrased(asked.get(i)))) {
        return asked.subList(i + 1, asked.size());
      }
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "what tools may have put behind the conversation is not sent: the newest event, of {0}, is"
            + " not among the {1} contents of the request",
        newest.author(),
        asked.size());
    return List.of();
  }

  private static boolean isRephrased(Content content) {
    return content.parts().orElse(List.of()).stream()
        .findFirst()
        .flatMap(Part::text)
        .filter(REPHRASED::equals)
        .isPresent();
  }

  /** What a content says, without ids of calls, which ADK leaves out. */
  private static String words(Content content) {
    List<String> words = new ArrayList<>();
    for (Part part : content.parts().orElse(List.of())) {
      part.text().ifPresent(words::add);
      part.functionCall().ifPresent(call -> words.add(call.name() + " " + call.args()));
      part.functionResponse()
          .ifPresent(result -> words.add(result.name() + " " + result.response()));
    }
    return String.join("\n", words);
  }

  /** Notes that an answer arrives, and what it cost. */
  @Override
  public Maybe<LlmResponse> afterModelCallback(CallbackContext callback, LlmResponse response) {
    InvocationContext invocation = callback.invocationContext();
    return makes(invocation)
        ? Maybe.fromAction(() -> answered(invocation, response))
        : Maybe.empty();
  }

  private void answered(InvocationContext invocation, LlmResponse response) {
    AdkContext.Asked asked = context.asked(scope(invocation));
    if (asked == null || isSuperseded(invocation)) {
      return;
    }
    ContextBrowser chat = browser(invocation);
    chat.openTurn().answering(asked.request());
    response
        .usageMetadata()
        .ifPresent(
            usage -> context.ask(scope(invocation), new AdkContext.Asked(asked.request(), usage)));
  }

  /** Finishes the turn. */
  @Override
  public Completable afterRunCallback(InvocationContext invocation) {
    return Completable.fromAction(() -> close(invocation, null));
  }

  /**
   * Interrupts the turn; what was done stays in context. ADK before 1.7 does not tell of errors.
   */
  @SuppressWarnings("MissingOverride") // those versions do not have the method
  public Completable onRunErrorCallback(InvocationContext invocation, Throwable error) {
    String text = Objects.toString(error);
    String reason = text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS);
    return Completable.fromAction(() -> close(invocation, reason));
  }

  private void close(InvocationContext invocation, @Nullable String problem) {
    if (!isOurs(invocation) || isSuperseded(invocation)) {
      return;
    }
    ContextBrowser chat = browser(invocation);
    if (chat.timeline().activeTurn().isPresent()) {
      Turn turn = chat.openTurn();
      EventStep.close(turn, problem);
    }
    context.forget(scope(invocation));
  }
}

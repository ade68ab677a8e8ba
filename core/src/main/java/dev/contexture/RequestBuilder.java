package dev.contexture;

import dev.contexture.compaction.CompactionHooks;
import dev.contexture.engine.request.RequestOptions;
import dev.contexture.engine.request.RequestPipeline;
import dev.contexture.engine.request.RequestState;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.prompt.ActivityRenderer;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.Effort;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ProofMode;
import dev.contexture.request.Providers;
import dev.contexture.request.ThinkingChoice;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.tool.ToolRules;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.WaitingPolicy;
import dev.contexture.view.Adds;
import java.util.List;
import java.util.OptionalInt;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Collects what a request is made of, beside the conversation itself. Confined to one thread. */
@API(status = API.Status.STABLE, since = "0.1")
public final class RequestBuilder {
  private final Turn turn;
  private final Providers.Target target;
  private final RequestOptions options = new RequestOptions();
  private boolean configured;

  RequestBuilder(Turn turn, Providers.Target target) {
    this.turn = turn;
    this.target = target;
    options.target = target;
  }

  /** Limits and choices; without them the budget of the turn's settings holds. */
  public RequestBuilder config(ContextConfig config) {
    options.config = config;
    configured = true;
    return this;
  }

  /** What the model is told beside what was said; by default as the turn says, else everything. */
  public RequestBuilder adds(Adds adds) {
    options.adds = adds;
    return this;
  }

  /** How many turns are shown; by default as the turn says. */
  public RequestBuilder turnLimit(TurnLimit limit) {
    options.turnLimit = limit;
    return this;
  }

  /** What the model is told first; with an agent and without this, the built-in text. */
  public RequestBuilder instructions(String text) {
    options.instructions.add(text);
    return this;
  }

  /** What it may call. */
  public RequestBuilder tools(List<ToolDef> tools) {
    options.tools = List.copyOf(tools);
    return this;
  }

  /** How it is to call them. */
  public RequestBuilder toolRules(ToolRules rules) {
    options.rules = rules;
    return this;
  }

  /** The agent that asks: what it remembers is shown. */
  public RequestBuilder agent(String agent) {
    turn.session().scope().owner().scope().agent(agent); // checks its form
    options.agent = agent;
    return this;
  }

  /**
   * Says that a framework sends the request in a form of its own, made of {@link
   * ContextRequest#assembled}: there it finds the opaque parts of answers that were recorded with
   * its name as the provider. The body leaves them out.
   */
  public RequestBuilder carrier(String framework) {
    options.carrier = framework;
    return this;
  }

  /** Memory blocks to show in this turn even if they are not pinned, by id or label. */
  public RequestBuilder blocks(List<String> idsOrLabels) {
    options.blocks = List.copyOf(idsOrLabels);
    return this;
  }

  /** Tells the agent about recent events. */
  public RequestBuilder activity(@Nullable ActivityRenderer renderer) {
    options.activity = renderer;
    return this;
  }

  /** The most that the model may say; by default what the limits reserve for it. */
  public RequestBuilder maxOutputTokens(int tokens) {
    if (tokens < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_output_tokens", tokens, "1 to " + Integer.MAX_VALUE);
    }
    options.maxOutputTokens = OptionalInt.of(tokens);
    return this;
  }

  public RequestBuilder includeSources(boolean include) {
    options.includeSources = include;
    return this;
  }

  public RequestBuilder includeAnnounce(boolean include) {
    options.includeAnnounce = include;
    return this;
  }

  /** Whether the answer is to be streamed. */
  public RequestBuilder stream(boolean stream) {
    options.stream = stream;
    return this;
  }

  /** Which tools it may or must call. */
  public RequestBuilder toolChoice(ToolChoice choice) {
    options.toolChoice = choice;
    return this;
  }

  /** Whether it thinks before it answers. */
  public RequestBuilder thinking(ThinkingChoice thinking) {
    options.params = options.params.withThinking(thinking);
    return this;
  }

  /** How hard it tries. */
  public RequestBuilder effort(Effort effort) {
    options.params = options.params.withEffort(effort);
    return this;
  }

  /** The form that its answer must have. */
  public RequestBuilder outputSchema(OutputSchema schema) {
    options.params = options.params.withOutputSchema(schema);
    return this;
  }

  /**
   * Members of the body that only this provider has, such as {@code temperature}; they are merged
   * into it as they are.
   */
  public RequestBuilder params(JsonObject members) {
    options.params = options.params.withOpen(members);
    return this;
  }

  /** The version of the provider's interface; by default the newest that is known. */
  public RequestBuilder apiVersion(String version) {
    options.params = options.params.withApiVersion(version);
    return this;
  }

  /**
   * Whether the body has the shape of servers that are compatible with chat completions: the role
   * {@code system}, {@code max_tokens}, and nothing that only the format's maker knows.
   */
  public RequestBuilder compat(boolean compatible) {
    options.params = options.params.withCompat(compatible);
    return this;
  }

  /**
   * What happens if calls of the turn have no result; by default the request is refused with {@code
   * calls_waiting}.
   */
  public RequestBuilder waiting(WaitingPolicy policy) {
    options.waiting = policy;
    return this;
  }

  /**
   * Compacts the conversation even if there is room: what to ask for when the provider refused a
   * request as too long. After an answer whose window was full this happens by itself, once.
   */
  public RequestBuilder forceCompaction(boolean force) {
    options.forceCompaction = force;
    return this;
  }

  /** What hears of compactions while the request is built: before each and after it. */
  public RequestBuilder compactionHooks(CompactionHooks hooks) {
    options.hooks = hooks;
    return this;
  }

  /** How the prompt cache is asked for; lives follow the pace of the conversation. */
  public RequestBuilder cache(CachePolicy policy) {
    options.cache = policy;
    return this;
  }

  /** What happens if it does not repeat what was sent before; by default as the engine is set. */
  public RequestBuilder prefixCheck(LedgerSettings.Mode mode) {
    options.check = mode;
    return this;
  }

  /** What happens if its provider would refuse it; by default it is repaired. */
  public RequestBuilder proof(ProofMode mode) {
    options.proof = mode;
    return this;
  }

  /**
   * Puts the request together, writes it and keeps a record of it.
   *
   * @throws dev.contexture.error.ContextureException {@code param_owned}, {@code param_rejected}
   *     for what cannot be asked, and then nothing is changed
   */
  public ContextRequest build() {
    TurnSettings settings = turn.settings();
    Long budget = settings.maxTokens();
    if (!configured && budget != null) {
      options.config = options.config.withLimits(ModelContextLimits.ofMaxTokens(budget));
    }
    if (options.adds == null) {
      options.adds = settings.adds();
    }
    RequestState done = RequestPipeline.request(options, turn.source(options.turnLimit));
    return new ContextRequest(
        done.id(),
        target,
        done.request(),
        done.context(),
        done.estimate(),
        done.prefix(),
        done.divergence(),
        done.metadata(),
        AssembledContext.of(done));
  }
}

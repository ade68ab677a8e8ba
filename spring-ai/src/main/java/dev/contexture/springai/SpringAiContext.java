package dev.contexture.springai;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.Providers;
import dev.contexture.turn.ClearPolicy;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Adds;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;

/**
 * The engine under the ChatClient of Spring AI: advisors, tools and a chat memory that belong
 * together. {@link #wire} puts the advisors into a builder.
 *
 * <p>Which conversation a call belongs to says its parameter {@link ChatMemory#CONVERSATION_ID}:
 * {@code "user/conversation"} or a {@link Scope.OfConversation}, unless {@link Builder#ids} says
 * otherwise. A call without it is refused, and so is {@code "default"}: all users would share one
 * conversation.
 *
 * <p>Thread-safe. It does not close the engine.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SpringAiContext {
  /** What opaque parts and answers are kept under. */
  static final String NAME = "spring-ai";

  private static final String MADE_UP_ID = "default"; // of versions before 2.0, and of habit
  private static final int MAX_HANDED = 10_000;

  private final Contexture engine;
  private final Function<Object, Scope.OfConversation> ids;
  private final Providers.Target target;
  private final @Nullable String provider;
  private final @Nullable String agent;
  private final @Nullable ContextConfig config;
  private final Adds adds;
  private final ClearPolicy clear;
  private final Cache<Scope.OfConversation, TurnId> handed =
      Caffeine.newBuilder().maximumSize(MAX_HANDED).build();

  private final ConcurrentMap<Scope.OfConversation, AdvisedCall> stopped =
      new ConcurrentHashMap<>(); // for as long as it takes to interrupt their turns

  private SpringAiContext(Builder builder, String model) {
    this.engine = builder.engine;
    this.ids = builder.ids;
    this.provider = builder.provider;
    this.target = engine.providers().resolve(provider, model);
    this.agent = builder.agent;
    this.config = builder.config;
    this.adds = builder.adds;
    this.clear = builder.clear;
  }

  /** Starts with an engine and the tenant and project of all conversations. */
  public static Builder builder(Contexture engine, Scope scope) {
    return new Builder(engine, id -> conversation(scope, id));
  }

  private static Scope.OfConversation conversation(Scope scope, Object id) {
    if (id instanceof Scope.OfConversation given && given.owner().scope().equals(scope)) {
      return given;
    }
    String[] parts = id instanceof String text ? text.split("/", -1) : new String[0];
    if (parts.length != 2) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_SCOPE,
          ChatMemory.CONVERSATION_ID,
          id,
          "\"user/conversation\", or a Scope.OfConversation of the same tenant and project;"
              + " SpringAiContext.Builder.ids takes others");
    }
    return scope.user(parts[0]).conversation(parts[1]);
  }

  /** Gives the builder of a ChatClient the advisors, and returns it. */
  public ChatClient.Builder wire(ChatClient.Builder client) {
    return client.defaultAdvisors(advisors());
  }

  /** Both advisors: one around a call, one around each request to the model. */
  public List<Advisor> advisors() {
    return List.of(new SpringAiTurnAdvisor(this), new SpringAiAdvisor());
  }

  /** The built-in tools of the agent, for {@code ChatClient.Builder.defaultTools}. */
  public SpringAiTools tools() {
    return new SpringAiTools(this);
  }

  /** A chat memory for those who keep Spring AI's own advisors. */
  public SpringAiMemory memory() {
    return new SpringAiMemory(this);
  }

  /** The conversation that an id names. */
  Scope.OfConversation scope(@Nullable Object id) {
    if (id == null || MADE_UP_ID.equals(id)) {
      throw new ContextureException(
          ErrorCode.SCOPE_REQUIRED,
          String.format(
              Locale.ROOT,
              "%s is %s, under which all users would share one conversation; give it with each"
                  + " call: .advisors(a -> a.param(ChatMemory.CONVERSATION_ID,"
                  + " \"user/conversation\"))",
              ChatMemory.CONVERSATION_ID,
              id == null ? "missing" : "'" + id + "'"));
    }
    return ids.apply(id);
  }

  /** A turn of the agent that these words open. */
  TurnStart ofAgent(TurnStart start) {
    TurnStart kept = start.onIncomplete(TurnStart.OnIncomplete.INTERRUPT);
    String who = agent;
    return who == null ? kept : kept.agent(who);
  }

  /** Notes that a turn waits for results that the application gives itself. */
  void handedOver(Scope.OfConversation conversation, TurnId turn) {
    handed.put(conversation, turn);
  }

  /** Whether a turn waits for results that the application does not give any more. */
  boolean isLeft(Scope.OfConversation conversation) {
    TurnId turn = handed.getIfPresent(conversation);
    return turn != null && browser(conversation).timeline().isActive(turn);
  }

  /** Notes that a stream was cancelled whose turn is not interrupted yet. */
  void stops(AdvisedCall call) {
    stopped.put(call.scope(), call);
  }

  /** The turn of a cancelled stream is interrupted. */
  void forgetStopped(AdvisedCall call) {
    stopped.remove(call.scope(), call);
  }

  /** A cancelled stream whose turn is not interrupted yet. */
  Optional<AdvisedCall> stopped(Scope.OfConversation conversation) {
    return Optional.ofNullable(stopped.get(conversation));
  }

  Contexture engine() {
    return engine;
  }

  ContextBrowser browser(Scope.OfConversation conversation) {
    return engine.browser(conversation);
  }

  Providers.Target target() {
    return target;
  }

  @Nullable String provider() {
    return provider;
  }

  @Nullable String agent() {
    return agent;
  }

  @Nullable ContextConfig config() {
    return config;
  }

  Adds adds() {
    return adds;
  }

  ClearPolicy clear() {
    return clear;
  }

  /** What a budget for the conversation alone is. */
  long maxTokens() {
    ContextConfig given = config == null ? ContextConfig.DEFAULT : config;
    return given.limitsFor(target.model().model()).limits().historyTokens();
  }

  /** Collects choices. Confined to one thread. */
  public static final class Builder {
    private final Contexture engine;
    private Function<Object, Scope.OfConversation> ids;
    private @Nullable String provider;
    private @Nullable String model;
    private @Nullable String agent;
    private @Nullable ContextConfig config;
    private Adds adds = Adds.NOTHING;
    private ClearPolicy clear = ClearPolicy.REFUSE;

    private Builder(Contexture engine, Function<Object, Scope.OfConversation> ids) {
      this.engine = engine;
      this.ids = ids;
    }

    /** The model whose window, tokens and rules hold; the one that the chat model asks. */
    public Builder model(String model) {
      return model(null, model);
    }

    /** The same for a model that the catalogue does not list, with the API that serves it. */
    public Builder model(@Nullable String provider, String model) {
      this.provider = provider;
      this.model = model;
      return this;
    }

    /** The agent whose memory is shown and whose tools are offered; by default none. */
    public Builder agent(String agent) {
      this.agent = agent;
      this.adds = new Adds(false, false, true, false);
      return this;
    }

    /** The most tokens of a request, with its answer. */
    public Builder maxTokens(long tokens) {
      return config(ContextConfig.DEFAULT.withLimits(ModelContextLimits.ofMaxTokens(tokens)));
    }

    /** Limits and choices of requests. */
    public Builder config(ContextConfig config) {
      this.config = config;
      return this;
    }

    /** What the model is told beside what was said; by default recent activity of the agent. */
    public Builder adds(Adds adds) {
      this.adds = adds;
      return this;
    }

    /** Which conversation an id names; {@code "default"} and null never get there. */
    public Builder ids(Function<Object, Scope.OfConversation> ids) {
      this.ids = ids;
      return this;
    }

    /** What {@code ChatMemory.clear()} does; by default it is refused. */
    public Builder onClear(ClearPolicy policy) {
      this.clear = policy;
      return this;
    }

    /**
     * Puts it together.
     *
     * @throws ContextureException {@code field_required} without a model, {@code invalid_argument}
     *     for one that is not known
     */
    public SpringAiContext build() {
      String asked = model;
      if (asked == null) {
        throw ContextureException.invalid(
            ErrorCode.FIELD_REQUIRED, "model", null, "the model that the chat model asks");
      }
      return new SpringAiContext(this, asked);
    }
  }
}

package dev.contexture.langchain4j;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.Providers;
import dev.contexture.search.SearchOptions;
import dev.contexture.turn.ClearPolicy;
import dev.contexture.view.Adds;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.service.AiServices;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The engine under the AiServices of LangChain4j: memories, requests, listeners, tools and
 * retrieval that belong together. {@link #wire} puts the first three into a builder.
 *
 * <p>Memory ids are {@code "user/conversation"} or a {@link Scope.OfConversation}, unless {@link
 * Builder#ids} says otherwise. The id {@code "default"}, which LangChain4j makes up where none is
 * given, is refused: all users would share one conversation.
 *
 * <p>Thread-safe. It does not close the engine.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainContext {
  /** What memory ids, opaque parts and answers are kept under. */
  static final String NAME = "langchain4j";

  private static final String MADE_UP_ID = "default"; // AiServices without @MemoryId

  private final Contexture engine;
  private final Function<Object, Scope.OfConversation> ids;
  private final Providers.Target target;
  private final @Nullable String provider;
  private final @Nullable String agent;
  private final @Nullable ContextConfig config;
  private final Adds adds;
  private final ClearPolicy clear;
  private final Cache<Scope.OfConversation, LangChainMemory> memories =
      Caffeine.newBuilder().weakValues().build();

  private LangChainContext(Builder builder, String model) {
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
          "memory id",
          id,
          "\"user/conversation\", or a Scope.OfConversation of the same tenant and project;"
              + " LangChainContext.Builder.ids takes others");
    }
    return scope.user(parts[0]).conversation(parts[1]);
  }

  /** Gives an AiServices builder memory, requests and listeners, and returns it. */
  public <T> AiServices<T> wire(AiServices<T> services) {
    return services
        .chatMemoryProvider(memories())
        .chatRequestTransformer(requests())
        .registerListeners(listeners());
  }

  /** Makes memories for {@link AiServices#chatMemoryProvider}. */
  public ChatMemoryProvider memories() {
    return this::memory;
  }

  /** Makes requests for {@link AiServices#chatRequestTransformer}. */
  public LangChainRequests requests() {
    return new LangChainRequests(this);
  }

  /** Hear what calls cost and how they end, for {@link AiServices#registerListeners}. */
  public List<AiServiceListener<?>> listeners() {
    return LangChainListener.all(this);
  }

  /** Finds what was said and remembered before, as content for a prompt. */
  public LangChainRetriever retriever(SearchOptions options) {
    return new LangChainRetriever(this, options);
  }

  /** The built-in tools of the agent, for {@link AiServices#tools(java.util.Map)}. */
  public LangChainTools tools() {
    return new LangChainTools(this);
  }

  /** A store for those who keep LangChain4j's own memory in front of it. */
  public LangChainMemoryStore store() {
    return new LangChainMemoryStore(this);
  }

  /**
   * The memory of an id; the same one as long as somebody holds it. Reads nothing.
   *
   * @throws ContextureException {@code scope_required} for {@code "default"} and null, {@code
   *     invalid_scope} for an id that names no conversation
   */
  public LangChainMemory memory(@Nullable Object memoryId) {
    Scope.OfConversation scope = scope(memoryId);
    Object id = memoryId == null ? scope : memoryId; // never null: scope refuses that
    return memories.get(scope, conversation -> new LangChainMemory(this, id, conversation));
  }

  /** The conversation of a memory id. */
  Scope.OfConversation scope(@Nullable Object memoryId) {
    if (memoryId == null || isMadeUp(memoryId)) {
      throw new ContextureException(
          ErrorCode.SCOPE_REQUIRED,
          String.format(
              Locale.ROOT,
              "memory id is %s, under which all users would share one conversation; give the"
                  + " method of the AI service a parameter with @MemoryId, and use"
                  + " chatMemoryProvider instead of chatMemory",
              memoryId == null ? "missing" : "'" + memoryId + "', which LangChain4j made up"));
    }
    return ids.apply(memoryId);
  }

  /** Whether AiServices made an id up. */
  static boolean isMadeUp(Object memoryId) {
    return MADE_UP_ID.equals(memoryId);
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

    /** Which conversation a memory id names; {@code "default"} and null never get there. */
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
    public LangChainContext build() {
      String asked = model;
      if (asked == null) {
        throw ContextureException.invalid(
            ErrorCode.FIELD_REQUIRED, "model", null, "the model that the chat model asks");
      }
      return new LangChainContext(this, asked);
    }
  }
}

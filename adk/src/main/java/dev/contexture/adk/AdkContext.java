package dev.contexture.adk;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.Providers;
import dev.contexture.search.SearchOptions;
import dev.contexture.view.Adds;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The engine under the Runner of ADK: sessions, memory and a plugin that belong together.
 *
 * <p>An app is a project of the tenant, a user its user, a session a conversation.
 *
 * <p>Thread-safe. It does not close the engine.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AdkContext {
  /** What opaque parts and answers are kept under. */
  static final String NAME = "adk";

  private static final int MAX_ASKED = 10_000;

  private final Contexture engine;
  private final String tenant;
  private final Providers.Target target;
  private final @Nullable String provider;
  private final @Nullable String agent;
  private final @Nullable ContextConfig config;
  private final Adds adds;
  private final SearchOptions search;
  private final ContextureSessionService sessions = new ContextureSessionService(this);
  private final Cache<Scope.OfConversation, Asked> asked =
      Caffeine.newBuilder().maximumSize(MAX_ASKED).build();

  private final Cache<Scope.OfConversation, String> working =
      Caffeine.newBuilder().maximumSize(MAX_ASKED).build(); // the run whose turn is open
  private final Cache<Run, Boolean> superseded =
      Caffeine.newBuilder().maximumSize(MAX_ASKED).build();

  private AdkContext(Builder builder, String model) {
    this.engine = builder.engine;
    this.tenant = builder.tenant;
    this.provider = builder.provider;
    this.target = engine.providers().resolve(provider, model);
    this.agent = builder.agent;
    this.config = builder.config;
    this.adds = builder.adds;
    this.search = builder.search;
  }

  /** Starts with an engine and the tenant of all apps. */
  public static Builder builder(Contexture engine, String tenant) {
    return new Builder(engine, tenant);
  }

  /** The sessions, for {@code Runner.Builder.sessionService}; always the same. */
  public ContextureSessionService sessions() {
    return sessions;
  }

  /** The memory, for {@code Runner.Builder.memoryService}. */
  public ContextureMemoryService memory() {
    return new ContextureMemoryService(this);
  }

  /** Makes the requests of runs over {@link #sessions}, for {@code Runner.Builder.plugins}. */
  public ContexturePlugin plugin() {
    return new ContexturePlugin(this);
  }

  /**
   * The conversation of a session.
   *
   * @throws ContextureException {@code scope_required} or {@code invalid_scope} for names that are
   *     missing or have other characters than names of scopes may
   */
  Scope.OfConversation scope(String app, String user, String session) {
    return Scope.of(tenant, app).user(user).conversation(session);
  }

  Contexture engine() {
    return engine;
  }

  ContextBrowser browser(Scope.OfConversation conversation) {
    return engine.browser(conversation);
  }

  EventLog log(ContextBrowser chat) {
    return new EventLog(chat, engine.limits().metaBytes());
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

  SearchOptions search() {
    return search;
  }

  /**
   * A request that waits for its answer.
   *
   * @param usage what the model said that it cost; null: nothing yet
   */
  record Asked(String request, @Nullable GenerateContentResponseUsageMetadata usage) {}

  @Nullable Asked asked(Scope.OfConversation conversation) {
    return asked.getIfPresent(conversation);
  }

  void ask(Scope.OfConversation conversation, Asked request) {
    asked.put(conversation, request);
  }

  void forget(Scope.OfConversation conversation) {
    asked.invalidate(conversation);
  }

  /** An invocation of a Runner. */
  private record Run(Scope.OfConversation conversation, String invocation) {}

  /** Notes whose turn is opened; if one was open, its run is superseded. */
  void opens(Scope.OfConversation conversation, @Nullable String invocation, boolean open) {
    String before = working.getIfPresent(conversation);
    if (open && before != null && !before.equals(invocation)) {
      superseded.put(new Run(conversation, before), true);
    }
    if (invocation == null) {
      working.invalidate(conversation);
    } else {
      working.put(conversation, invocation);
    }
  }

  /** Whether the turn of a run was interrupted by a newer message of the user. */
  boolean isSuperseded(Scope.OfConversation conversation, @Nullable String invocation) {
    return invocation != null && superseded.getIfPresent(new Run(conversation, invocation)) != null;
  }

  /** Collects choices. Confined to one thread. */
  public static final class Builder {
    private final Contexture engine;
    private final String tenant;
    private @Nullable String provider;
    private @Nullable String model;
    private @Nullable String agent;
    private @Nullable ContextConfig config;
    private Adds adds = Adds.NOTHING;
    private SearchOptions search = SearchOptions.DEFAULT;

    private Builder(Contexture engine, String tenant) {
      this.engine = engine;
      this.tenant = tenant;
    }

    /** The model whose window, tokens and rules hold; the one that the agents ask. */
    public Builder model(String model) {
      return model(null, model);
    }

    /** The same for a model that the catalogue does not list, with the API that serves it. */
    public Builder model(@Nullable String provider, String model) {
      this.provider = provider;
      this.model = model;
      return this;
    }

    /** The agent of the engine whose memory is shown and searched; by default none. */
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

    /** How memory is searched. */
    public Builder search(SearchOptions options) {
      this.search = options;
      return this;
    }

    /**
     * Puts it together.
     *
     * @throws ContextureException {@code field_required} without a model, {@code invalid_argument}
     *     for one that is not known
     */
    public AdkContext build() {
      String asked = model;
      if (asked == null) {
        throw ContextureException.invalid(
            ErrorCode.FIELD_REQUIRED, "model", null, "the model that the agents ask");
      }
      return new AdkContext(this, asked);
    }
  }
}

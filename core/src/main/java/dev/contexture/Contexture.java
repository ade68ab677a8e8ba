package dev.contexture;

import dev.contexture.block.Limits;
import dev.contexture.block.Scope;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.archive.Archives;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.stored.MemoryRegistry;
import dev.contexture.engine.retention.RetentionReport;
import dev.contexture.engine.retention.RetentionRules;
import dev.contexture.engine.search.Search;
import dev.contexture.engine.session.CacheSecret;
import dev.contexture.engine.session.ConversationServices;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.engine.session.InFlightRequests;
import dev.contexture.engine.session.ModelCalibrations;
import dev.contexture.engine.session.RequestRates;
import dev.contexture.engine.session.SessionRegistry;
import dev.contexture.engine.session.WorkInFlight;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.event.EngineObserver;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Providers;
import dev.contexture.search.Embedder;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.EraseReport;
import dev.contexture.store.Store;
import dev.contexture.store.UserEntry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The engine: where everything starts.
 *
 * <pre>{@code
 * try (Contexture cx = Contexture.open(Path.of("data"))) {
 *   ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
 * }
 * }</pre>
 *
 * Thread-safe. Close it to let go of the store.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Contexture implements AutoCloseable {
  private static final Duration SUMMARIZER_TIMEOUT = Duration.ofMinutes(2);

  private final ConversationServices services;
  private final SessionRegistry conversations;
  private final WorkInFlight calls = new WorkInFlight();
  private final Search search;
  private final MemoryRegistry memories;
  private final boolean agentWideWrites;
  private final EngineErasures erasures;
  private final ProjectFollower projects;

  private Contexture(
      ConversationServices services,
      Search search,
      MemoryRegistry memories,
      boolean agentWideWrites) {
    this.agentWideWrites = agentWideWrites;
    this.services = services;
    this.search = search;
    this.conversations = new SessionRegistry(services);
    this.memories = memories;
    Store store = services.store();
    this.projects = new ProjectFollower(store, services.changes(), memories, services.clock());
    this.erasures =
        new EngineErasures(
            store, services.clock(), conversations, memories, search, projects::erased);
  }

  /** Follows other processes, once everything is there. */
  private Contexture started() {
    erasures.start();
    projects.start();
    return this;
  }

  /**
   * Opens the engine on a directory: one process owns it, nothing has to be installed. It needs the
   * module {@code contexture-embedded}.
   *
   * @throws ContextureException {@code store_in_use} if another process owns the directory, or
   *     another {@code store_} code
   */
  public static Contexture open(Path directory) {
    return open(directory, settings -> settings);
  }

  /**
   * Opens the engine on a directory, with settings of one's own: a summariser, limits, a clock.
   *
   * @throws ContextureException as {@link #open(Path)}
   */
  public static Contexture open(Path directory, UnaryOperator<Builder> settings) {
    return ServiceLoader.load(Opener.class)
        .findFirst()
        .orElseThrow(
            () ->
                new ContextureException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "no embedded store is on the class path; add contexture-embedded"))
        .open(directory, settings);
  }

  /** Starts to put an engine together from its parts. */
  public static Builder builder(Store store) {
    return new Builder(store);
  }

  /** A conversation, which exists from its first turn on. */
  public ContextBrowser browser(Scope.OfConversation conversation) {
    return new ContextBrowser(conversations.session(conversation));
  }

  /** A user's conversations, newest activity first. */
  public List<ConversationEntry> conversations(
      Scope.OfUser owner, ConversationEntry.@Nullable Cursor after, int limit) {
    return services.store().conversations(owner, after, limit);
  }

  /** The users of a project that have conversations, newest activity first. */
  public List<UserEntry> users(Scope scope, UserEntry.@Nullable Cursor after, int limit) {
    return services.store().users(scope, after, limit);
  }

  /**
   * Finds messages and memories again.
   *
   * <p>Without a configured index every search is refused with {@code search_unavailable}.
   */
  public Search search() {
    return search;
  }

  /** What the agents of a project remember. The engine closes it. */
  public MemoryStore memory(Scope scope) {
    return memories.of(scope);
  }

  /** What tells agents about recent events of a project, and where hosts add some. */
  public RecentActivity activity(Scope scope) {
    return new RecentActivity(memories.of(scope), services.clock());
  }

  /** Files of other programs: exports, logs, agent files, lists of messages. */
  public FileImports files() {
    return new FileImports(this, services.clock());
  }

  /** Conversations and memory as files that other stores take in. */
  public Archives archives() {
    return new Archives(services.store(), services.clock());
  }

  /**
   * Removes every conversation of a user beyond recovery: blocks, summaries, request records,
   * binaries, index entries; and what belongs to that user of the memory of agents. Asking again is
   * no failure.
   */
  public EraseReport eraseUser(Scope.OfUser user) {
    return erasures.user(user);
  }

  /**
   * Removes an agent beyond recovery: its blocks, live and deleted, with everything that repeats
   * them, its archival entries, shares and activity. Conversations stay, they are their users'.
   * Asking again is no failure.
   */
  public EraseReport eraseAgent(Scope.OfAgent agent) {
    return erasures.agent(agent);
  }

  /**
   * Removes everything of a project beyond recovery, conversations and memory. Asking again is no
   * failure.
   */
  public EraseReport eraseProject(Scope scope) {
    return erasures.project(scope);
  }

  /**
   * Erases what outlived rules in a project, or tells what would be erased.
   *
   * @param dryRun whether nothing is erased
   * @param erased told of each conversation once it is erased
   */
  public RetentionReport retain(
      Scope scope,
      RetentionRules rules,
      boolean dryRun,
      Consumer<RetentionReport.Outlived> erased) {
    return erasures.retain(scope, rules, dryRun, erased);
  }

  /**
   * Whether copies of something that was erased in a project may still be in files: somebody else
   * reads the database file, or the index is behind. They cannot be read through the engine, and
   * they go by themselves. Waits a little for the index.
   */
  public boolean isErasing(Scope scope) {
    return erasures.isErasing(scope);
  }

  /** The built-in tools of an agent in a conversation. */
  public AgentTools agentTools(ContextBrowser chat, String agent) {
    Scope scope = chat.scope().owner().scope();
    return AgentTools.inConversation(toolServices(scope), chat.session(), scope.agent(agent));
  }

  /** The built-in tools of a conversation without an agent: nothing of a memory. */
  public AgentTools agentTools(ContextBrowser chat) {
    return AgentTools.inConversation(
        toolServices(chat.scope().owner().scope()), chat.session(), null);
  }

  /** The built-in tools of an agent outside conversations: those of its memory, or of a user's. */
  public AgentTools agentTools(Scope.OfAgent agent) {
    return AgentTools.ofAgent(toolServices(agent.scope()), agent);
  }

  private AgentTools.ToolServices toolServices(Scope scope) {
    return new AgentTools.ToolServices(
        memory(scope),
        search,
        services.clock(),
        services.ids(),
        services.limits(),
        calls,
        agentWideWrites);
  }

  /** Tells about every change of a conversation that this engine makes. */
  public Changes changes() {
    return services.changes();
  }

  /**
   * Tells about every change of the conversations of a project from now on, also by other processes
   * that share the store: of those within a second. The listener must not block.
   */
  public Changes.Subscription follow(Scope scope, Consumer<Change> listener) {
    return projects.follow(scope, listener);
  }

  public Store store() {
    return services.store();
  }

  public Providers providers() {
    return services.providers();
  }

  public Limits limits() {
    return services.limits();
  }

  @Override
  public void close() {
    try {
      projects.close();
      erasures.close();
      search.close();
      memories.close();
    } finally {
      services.store().close();
    }
  }

  /** A way for {@link #open} to find the embedded store. */
  public interface Opener {
    Contexture open(Path directory, UnaryOperator<Builder> settings);
  }

  /** Puts an engine together. Confined to one thread. */
  public static final class Builder {
    private final Store store;
    private boolean exclusive;
    private InstantSource clock = InstantSource.system();
    private IdGenerator ids = new IdGenerator(new SecureRandom());
    private Limits limits = Limits.DEFAULT;
    private Providers providers = Providers.NONE;
    private Summarizer summarizer = new ExtractiveSummarizer();
    private Duration summarizerTimeout = SUMMARIZER_TIMEOUT;
    private Function<String, Optional<byte[]>> cacheSecrets = tenant -> Optional.empty();
    private boolean storedCacheSecret;
    private LedgerSettings ledger = LedgerSettings.DEFAULT;
    private @Nullable String owner;
    private SearchIndex.@Nullable Provider indexes;
    private @Nullable Embedder embedder;
    private MemoryLimits memoryLimits = MemoryLimits.DEFAULT;
    private boolean agentWideWrites;
    private ConsentBroker consentBroker = ConsentBroker.DENY;
    private @Nullable String partner;
    private CompactionPolicy policy = CompactionPolicy.DEFAULT;
    private EngineObserver observer = EngineObserver.NONE;

    private Builder(Store store) {
      this.store = store;
    }

    /** Says that only this process writes to the store. */
    public Builder exclusive(boolean exclusive) {
      this.exclusive = exclusive;
      return this;
    }

    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    public Builder ids(IdGenerator ids) {
      this.ids = ids;
      return this;
    }

    public Builder limits(Limits limits) {
      this.limits = limits;
      return this;
    }

    public Builder providers(Providers providers) {
      this.providers = providers;
      return this;
    }

    /** What writes summaries; by default the built-in one, which needs no model. */
    public Builder summarizer(Summarizer summarizer) {
      this.summarizer = summarizer;
      return this;
    }

    /**
     * What the summariser may take for one compaction, all its calls together; by default two
     * minutes. Later answers are dropped.
     *
     * @throws ContextureException {@code invalid_config} if it is not positive
     */
    public Builder summarizerTimeout(Duration timeout) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_CONFIG, "summarizer_timeout", timeout, "a positive duration");
      }
      this.summarizerTimeout = timeout;
      return this;
    }

    /** Where search finds things; by default nowhere. It is closed with the engine. */
    public Builder searchIndex(SearchIndex.Provider indexes) {
      this.indexes = indexes;
      return this;
    }

    /** What makes search by meaning possible; by default nothing does. */
    public Builder embedder(@Nullable Embedder embedder) {
      this.embedder = embedder;
      return this;
    }

    /**
     * Secrets from which the keys for a provider's cache router are made, by tenant. Without one
     * requests have no key.
     */
    public Builder cacheSecrets(Function<String, Optional<byte[]>> secrets) {
      this.cacheSecrets = secrets;
      this.storedCacheSecret = false;
      return this;
    }

    /**
     * Makes these keys from a secret that is kept in the store, so that all engines over it make
     * the same ones. {@link #open} does so by itself.
     */
    public Builder storedCacheSecret(boolean stored) {
      this.storedCacheSecret = stored;
      return this;
    }

    /** How requests are kept and compared with what was sent before. */
    public Builder ledger(LedgerSettings settings) {
      this.ledger = settings;
      return this;
    }

    /** The name of this process in leases; by default a random one. */
    public Builder owner(String owner) {
      this.owner = owner;
      return this;
    }

    /** Bounds of memory. */
    public Builder memoryLimits(MemoryLimits limits) {
      this.memoryLimits = limits;
      return this;
    }

    /**
     * Whether the built-in tools may make memory for all users of an agent in a conversation of
     * one, if a model asks for it ({@code scope: agent}); by default they may not.
     */
    public Builder agentWideWrites(boolean allowed) {
      this.agentWideWrites = allowed;
      return this;
    }

    /** Who is asked where a write to memory needs approval; by default it is denied. */
    public Builder consentBroker(ConsentBroker broker) {
      this.consentBroker = broker;
      return this;
    }

    /** The human that owns the memory, by id. */
    public Builder partner(String partner) {
      this.partner = partner;
      return this;
    }

    /**
     * When and how conversations are compacted, by renders, compactions and requests, from Java and
     * over HTTP, wherever a call names no policy of its own; by default the standard one.
     */
    public Builder policy(CompactionPolicy policy) {
      this.policy = policy;
      return this;
    }

    /** What watches requests, answers, compactions, memory and searches; by default nothing. */
    public Builder observer(EngineObserver observer) {
      this.observer = observer;
      return this;
    }

    public Contexture build() {
      String name = owner == null ? ids.of("node") : owner;
      Changes changes = new Changes();
      Search search =
          indexes == null
              ? Search.none(store)
              : Search.over(store, indexes, embedder, changes, observer);
      MemoryRegistry memories =
          new MemoryRegistry(
              store, clock, ids.random(), memoryLimits, partner, consentBroker, search, observer);
      return new Contexture(
              new ConversationServices(
                  store,
                  exclusive,
                  name,
                  clock,
                  ids,
                  limits,
                  changes,
                  providers,
                  summarizer,
                  policy,
                  summarizerTimeout,
                  new ModelCalibrations(),
                  storedCacheSecret ? new CacheSecret(store, ids.random()) : cacheSecrets,
                  ledger,
                  new RequestRates(),
                  new InFlightRequests(),
                  observer,
                  memories::of),
              search,
              memories,
              agentWideWrites)
          .started();
    }
  }
}

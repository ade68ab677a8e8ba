package dev.contexture.render;

import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.CompactionHooks;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.timeline.VisibilityRecords;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Adds;
import dev.contexture.view.CachePoint;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Reader;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Options of a render. Immutable; every {@code with} method gives a changed copy.
 *
 * <pre>{@code
 * RenderOptions options = RenderOptions.defaults().withDialect(Dialect.NATIVE).withMaxTokens(32_000);
 * }</pre>
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class RenderOptions {
  private static final long NO_BUDGET = 0;
  private static final RenderOptions DEFAULTS = new RenderOptions(new Fields());

  private final Fields fields;

  private RenderOptions(Fields fields) {
    this.fields = fields;
  }

  public static RenderOptions defaults() {
    return DEFAULTS;
  }

  public RenderOptions withDialect(Dialect dialect) {
    Fields next = fields.copy();
    next.dialect = dialect;
    return new RenderOptions(next);
  }

  /** Appends the sources pool behind the stable stream. */
  public RenderOptions withSources(boolean include) {
    Fields next = fields.copy();
    next.includeSources = include;
    return new RenderOptions(next);
  }

  /** Appends the announce blocks at the very end. */
  public RenderOptions withAnnounce(boolean include) {
    Fields next = fields.copy();
    next.includeAnnounce = include;
    return new RenderOptions(next);
  }

  /** Whether the last block of the stable stream gets a cache point. */
  public RenderOptions withCacheLast(boolean cacheLast) {
    Fields next = fields.copy();
    next.cacheLast = cacheLast;
    return new RenderOptions(next);
  }

  /** Text that is sent beside the context, with tool definitions: counted, not rendered. */
  public RenderOptions withSystemText(String text) {
    Fields next = fields.copy();
    next.systemText = text;
    return new RenderOptions(next);
  }

  /**
   * What is sent beside the context, already counted; it stands in place of a system text.
   *
   * @param tokens at least 0
   */
  public RenderOptions withSystemTokens(long tokens) {
    Fields next = fields.copy();
    next.systemText = "";
    next.systemTokens = Math.max(0, tokens);
    return new RenderOptions(next);
  }

  /** What writes summaries in place of the engine's own. */
  public RenderOptions withSummarizer(@Nullable Summarizer summarizer) {
    Fields next = fields.copy();
    next.summarizer = summarizer;
    return new RenderOptions(next);
  }

  /** The budget of the whole request. */
  public RenderOptions withMaxTokens(long maxTokens) {
    if (maxTokens < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_tokens", maxTokens, "a number from 1");
    }
    Fields next = fields.copy();
    next.maxTokens = maxTokens;
    return new RenderOptions(next);
  }

  /**
   * The budget that previews are made for and that says which of them this view shows, where it is
   * not that of {@link #withMaxTokens}: a request leaves a part of its budget to other things, but
   * requests with one {@code max_tokens} show the same.
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public RenderOptions withViewTokens(long maxTokens) {
    Fields next = fields.copy();
    next.viewTokens = maxTokens;
    return new RenderOptions(next);
  }

  /** Whether whoever gets the context can read paths, so that a summary lists them. */
  public RenderOptions withPaths(boolean listed) {
    Fields next = fields.copy();
    next.listsPaths = listed;
    return new RenderOptions(next);
  }

  /** Fails with {@code context_too_large} where the context is larger than the budget. */
  public RenderOptions withStrictBudget(boolean strict) {
    Fields next = fields.copy();
    next.strictBudget = strict;
    return new RenderOptions(next);
  }

  public RenderOptions withFilters(ContributionFilters filters) {
    Fields next = fields.copy();
    next.filters = filters;
    return new RenderOptions(next);
  }

  public RenderOptions withReader(Reader reader) {
    Fields next = fields.copy();
    next.reader = reader;
    return new RenderOptions(next);
  }

  public RenderOptions withMeter(TokenMeter meter) {
    Fields next = fields.copy();
    next.meter = meter;
    return new RenderOptions(next);
  }

  /** What is shown beside what was said; by default everything. */
  public RenderOptions withAdds(Adds adds) {
    Fields next = fields.copy();
    next.adds = adds;
    return new RenderOptions(next);
  }

  /** What holds if nothing else was given; null: nothing. */
  @API(status = API.Status.INTERNAL, since = "0.2")
  public RenderOptions withDefaults(
      @Nullable Long maxTokens, CachePoint.@Nullable Settings points, @Nullable Adds adds) {
    Fields next = fields.copy();
    next.maxTokens = next.maxTokens == NO_BUDGET && maxTokens != null ? maxTokens : next.maxTokens;
    next.cachePoints = next.cachePoints == null ? points : next.cachePoints;
    next.adds = next.adds == null ? adds : next.adds;
    return new RenderOptions(next);
  }

  public RenderOptions withCachePoints(CachePoint.Settings settings) {
    Fields next = fields.copy();
    next.cachePoints = settings;
    return new RenderOptions(next);
  }

  /**
   * How the context is compacted when it is larger than the budget; by default as the engine is
   * set.
   */
  public RenderOptions withPolicy(CompactionPolicy policy) {
    return withStrategy(new CompressionStrategy.Compaction(policy));
  }

  /**
   * How the conversation is made shorter when it is too long. A forced compaction cuts whatever the
   * strategy, with the policy that was given last.
   */
  public RenderOptions withStrategy(CompressionStrategy strategy) {
    Fields next = fields.copy();
    next.strategy = strategy;
    if (strategy instanceof CompressionStrategy.Compaction compaction) {
      next.policy = compaction.policy();
    }
    return new RenderOptions(next);
  }

  /**
   * How many turns stay whole, in place of what the policy says.
   *
   * @throws ContextureException {@code invalid_config} if the number is below 0
   */
  public RenderOptions withKeepRecentTurns(int turns) {
    Fields next = fields.copy();
    next.keepRecentTurns = CompactionPolicy.STANDARD.withKeepRecentTurns(turns).keepRecentTurns();
    return new RenderOptions(next);
  }

  /** The policy that holds if none was given. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public RenderOptions withDefaultPolicy(CompactionPolicy policy) {
    if (fields.policy != null) {
      return this;
    }
    Fields next = fields.copy();
    next.policy = policy;
    return new RenderOptions(next);
  }

  /**
   * What turns and summary may have where the strategy archives whole turns; by default what the
   * budget leaves for them.
   */
  public RenderOptions withHistory(HistoryLimits limits) {
    Fields next = fields.copy();
    next.history = limits;
    return new RenderOptions(next);
  }

  /** Who hears of compactions. */
  public RenderOptions withHooks(CompactionHooks hooks) {
    Fields next = fields.copy();
    next.hooks = hooks;
    return new RenderOptions(next);
  }

  /** Compacts even if the budget does not demand it. */
  public RenderOptions withForceSanitize(boolean force) {
    Fields next = fields.copy();
    next.forceSanitize = force;
    return new RenderOptions(next);
  }

  /** Compacts in the answer only and stores nothing. */
  public RenderOptions withReadOnly(boolean readOnly) {
    Fields next = fields.copy();
    next.readOnly = readOnly;
    return new RenderOptions(next);
  }

  /**
   * Stores a compaction only if it leaves no more than this: a context that is refused anyway
   * leaves nothing behind.
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public RenderOptions withStoredUpTo(long totalTokens) {
    Fields next = fields.copy();
    next.storedUpTo = totalTokens;
    return new RenderOptions(next);
  }

  public Dialect dialect() {
    return fields.dialect;
  }

  public boolean listsPaths() {
    return fields.listsPaths;
  }

  public boolean includeSources() {
    return fields.includeSources;
  }

  public boolean includeAnnounce() {
    return fields.includeAnnounce;
  }

  public boolean cacheLast() {
    return fields.cacheLast;
  }

  public String systemText() {
    return fields.systemText;
  }

  /** The cost of what is sent beside the context. */
  public long systemTokens() {
    String text = fields.systemText;
    return text.isEmpty() ? fields.systemTokens : fields.meter.texts(List.of(text));
  }

  /** What writes summaries, if it is not the engine's own. */
  public Optional<Summarizer> summarizer() {
    return Optional.ofNullable(fields.summarizer);
  }

  public OptionalLong maxTokens() {
    return fields.maxTokens == NO_BUDGET ? OptionalLong.empty() : OptionalLong.of(fields.maxTokens);
  }

  /** The budget of the view; {@link VisibilityRecords#NO_BUDGET} without one. */
  public long viewTokens() {
    return fields.viewTokens == NO_BUDGET
        ? maxTokens().orElse(VisibilityRecords.NO_BUDGET)
        : fields.viewTokens;
  }

  /** How many tokens pins may take together: a quarter of the budget of the view. */
  public long pinTokens() {
    return viewTokens() / 4;
  }

  public boolean strictBudget() {
    return fields.strictBudget;
  }

  public ContributionFilters filters() {
    ContributionFilters given = fields.filters;
    return given.turnHeaders() == adds().turnHeaders()
        ? given
        : new ContributionFilters(given.includeOnly(), given.exclude(), adds().turnHeaders());
  }

  /** What is shown beside what was said. */
  public Adds adds() {
    return fields.adds == null ? Adds.ALL : fields.adds;
  }

  public Reader reader() {
    return fields.reader;
  }

  public TokenMeter meter() {
    return fields.meter;
  }

  public CachePoint.Settings cachePoints() {
    return fields.cachePoints == null ? CachePoint.Settings.DEFAULT : fields.cachePoints;
  }

  /** The policy of compactions, also of those that are forced under another strategy. */
  public CompactionPolicy policy() {
    CompactionPolicy given = fields.policy == null ? CompactionPolicy.DEFAULT : fields.policy;
    return fields.keepRecentTurns < 0 ? given : given.withKeepRecentTurns(fields.keepRecentTurns);
  }

  public CompressionStrategy strategy() {
    CompressionStrategy given = fields.strategy;
    return given == null || given instanceof CompressionStrategy.Compaction
        ? new CompressionStrategy.Compaction(policy())
        : given;
  }

  /** The limits that were given for turns and summary. */
  public Optional<HistoryLimits> history() {
    return Optional.ofNullable(fields.history);
  }

  public CompactionHooks hooks() {
    return fields.hooks;
  }

  public boolean forceSanitize() {
    return fields.forceSanitize;
  }

  public boolean readOnly() {
    return fields.readOnly;
  }

  /** The most that a compaction may leave to be stored. */
  public long storedUpTo() {
    return fields.storedUpTo;
  }

  /** Whether a compaction that leaves so many tokens is stored. */
  public boolean stores(long totalTokens) {
    return !fields.readOnly && totalTokens <= fields.storedUpTo;
  }

  /** Above how many tokens a context is due for compaction. */
  public OptionalLong limit() {
    return maxTokens().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(CompactionBudget.of(policy(), fields.maxTokens).limit());
  }

  /** The values; copied for every change, never shared while they can change. */
  private static final class Fields {
    private Dialect dialect = Dialect.TRANSCRIPT;
    private boolean listsPaths = true;
    private boolean includeSources;
    private boolean includeAnnounce;
    private boolean cacheLast = true;
    private String systemText = "";
    private long systemTokens;
    private @Nullable Summarizer summarizer;
    private long maxTokens = NO_BUDGET;
    private long viewTokens = NO_BUDGET;
    private boolean strictBudget;
    private ContributionFilters filters = ContributionFilters.NONE;
    private Reader reader = Reader.ANY;
    private TokenMeter meter = TokenMeter.of(TokenCounter.O200K_BASE);
    private CachePoint.@Nullable Settings cachePoints; // null: none were given
    private @Nullable Adds adds; // null: none were given
    private @Nullable CompactionPolicy policy; // null: none was given
    private int keepRecentTurns = -1;
    private @Nullable CompressionStrategy strategy; // null: none was given
    private @Nullable HistoryLimits history;
    private CompactionHooks hooks = CompactionHooks.NONE;
    private boolean forceSanitize;
    private boolean readOnly;
    private long storedUpTo = Long.MAX_VALUE;

    private Fields copy() {
      Fields copy = new Fields();
      copy.dialect = dialect;
      copy.listsPaths = listsPaths;
      copy.includeSources = includeSources;
      copy.includeAnnounce = includeAnnounce;
      copy.cacheLast = cacheLast;
      copy.systemText = systemText;
      copy.systemTokens = systemTokens;
      copy.summarizer = summarizer;
      copy.maxTokens = maxTokens;
      copy.viewTokens = viewTokens;
      copy.strictBudget = strictBudget;
      copy.filters = filters;
      copy.reader = reader;
      copy.meter = meter;
      copy.cachePoints = cachePoints;
      copy.adds = adds;
      copy.policy = policy;
      copy.keepRecentTurns = keepRecentTurns;
      copy.strategy = strategy;
      copy.history = history;
      copy.hooks = hooks;
      copy.forceSanitize = forceSanitize;
      copy.readOnly = readOnly;
      copy.storedUpTo = storedUpTo;
      return copy;
    }
  }
}

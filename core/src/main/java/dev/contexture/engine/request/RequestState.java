package dev.contexture.engine.request;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.engine.ledger.BlockAttribution;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.session.Session;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.Repair;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.EpochState;
import dev.contexture.prompt.MemoryUpdate;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.prompt.Omission;
import dev.contexture.prompt.PromptBlock;
import dev.contexture.prompt.SystemPart;
import dev.contexture.render.Message;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.Divergence;
import dev.contexture.request.PointPlace;
import dev.contexture.request.Prefix;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.store.Row;
import dev.contexture.store.StoredTurn;
import dev.contexture.token.Estimate;
import dev.contexture.token.TokenMeter;
import dev.contexture.tool.ToolRule;
import dev.contexture.tool.ToolRules;
import dev.contexture.tool.ToolSpec;
import dev.contexture.turn.RenderResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the steps of {@link RequestPipeline}: each fills the fields under
 * its name and reads those above. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestState {
  // given
  final RequestOptions options;
  final MemoryStore memory;
  final @Nullable Session session;
  final RequestSource source;
  final @Nullable ModelProfile profile;
  final ContextConfig.Chosen chosen;
  final ModelContextLimits limits;
  final TokenMeter meter;
  final long version; // of the conversation, before anything of it was read
  final List<Omission> dropped = new ArrayList<>(); // by any step
  final Map<String, Long> counts = new HashMap<>(); // what texts cost, each counted once
  boolean windowWasFull; // of the model, with the answer before
  final Set<CallId> cancelled = new LinkedHashSet<>(); // calls that waited for their results

  // tools
  @Nullable List<ToolSpec> tools; // by name, narrowed by the rules; null: there is no registry
  List<ToolDef> nativeTools = List.of(); // of the provider itself, passed as they are
  ToolRules rules = ToolRules.NONE; // those about tools that are there
  Map<String, Long> toolCosts = Map.of(); // by name
  long toolTokens;
  String toolsDigest = "";

  // memory
  @Nullable TurnId activeTurn;
  List<String> references = List.of(); // blocks that the turn refers to, by id or label
  Set<String> lost = Set.of(); // memory of which the conversation told, and may not any more
  List<PromptBlock> blocks = List.of(); // to be shown
  Map<String, String> reach = Map.of(); // labels of all blocks that the agent may read, by id
  String activity = "";

  // epoch
  @Nullable EpochChoice epoch; // null: memory is written again in each request
  @Nullable EpochState shown; // memory as the system parts have it
  MemoryUpdate update = MemoryUpdate.NONE; // what changed since the epoch began
  EpochStep.Costs costs = EpochStep.Costs.NONE;

  // history
  @Nullable RenderResult rendered; // null: there is no conversation
  List<String> tail = List.of(); // texts behind it that are not repeated and not said yet
  List<Long> tailCosts = List.of(); // what each of them costs
  long historyBudget;
  int messagesBefore = -1;
  int forcedRenders;
  boolean shortened; // as was asked for, or because the window was full
  @Nullable CompactionReport compacted; // of the last render that shortened the conversation
  long tokensBefore = -1; // before the first that did
  final List<String> historyWarnings = new ArrayList<>();
  final Set<Omission> archived = new LinkedHashSet<>(); // by all renders of this request
  final List<Row> touches = new ArrayList<>(); // of the prompt cache, to be recorded

  // compose
  List<SystemPart> system = List.of(); // none of them blank
  long systemTokens; // of system and tools together
  List<Message> messages = List.of(); // the conversation, then what the next one does not repeat
  List<PointPlace> points = List.of(); // where caches should end, oldest first
  int volatileParts; // at the end, which the next request will not repeat
  Set<String> shownMemory = Set.of(); // ids of the blocks that it shows or names
  List<Integer> places = List.of(); // by rendered message: its index, or -1; empty: the same one
  final List<Omission> emptyMessages = new ArrayList<>();

  // count
  List<StoredTurn> incomplete = List.of(); // turns that are not sent because they have no end
  @Nullable ContextMetadata metadata;
  long baseTokens; // of text, without the catalogue's ratio
  long mediaTokens;
  @Nullable Estimate estimate;

  // write
  String id = "";
  @Nullable BlockAttribution attribution; // what the blocks of the body count as
  @Nullable RequestInput input;
  @Nullable ProviderRequest request;

  // prove
  List<Repair> repairs = List.of();

  // record
  @Nullable Prefix prefix;
  @Nullable Divergence divergence;
  boolean overtaken; // by another writer: the steps have to be done again

  /**
   * @param overtaken a request that was built from something that has changed since; what was
   *     compacted for it stays compacted. Null: there was none
   */
  RequestState(RequestOptions options, RequestSource source, @Nullable RequestState overtaken) {
    if (overtaken != null) {
      compacted = overtaken.compacted;
      tokensBefore = overtaken.tokensBefore;
      messagesBefore = overtaken.messagesBefore;
      archived.addAll(overtaken.archived);
      historyWarnings.addAll(overtaken.historyWarnings);
    }
    this.options = options;
    this.source = source;
    this.memory = source.memory();
    Session chat = source.session();
    this.session = chat;
    this.version = chat == null ? 0 : version(chat);
    Providers.Target target = options.target;
    this.profile = target == null ? null : target.profile();
    this.chosen = options.config.limitsFor(target == null ? "" : target.model().model());
    this.limits = chosen.limits();
    BigDecimal ratio = profile == null ? BigDecimal.ONE : profile.tokenizer().ratio();
    this.meter = new TokenMeter(options.counter, ratio);
  }

  private static long version(Session chat) {
    return StepFailures.step("timeline", () -> chat.locked(() -> chat.current().version()));
  }

  /** How the conversation is shortened. */
  CompressionStrategy strategy() {
    CompressionStrategy asked = options.config.compressionStrategy();
    return asked != null || session == null
        ? Objects.requireNonNullElse(asked, CompressionStrategy.DEFAULT)
        : new CompressionStrategy.Compaction(session.services().policy());
  }

  Session session() {
    return Objects.requireNonNull(session, "a conversation");
  }

  Providers.Target target() {
    return Objects.requireNonNull(options.target, "a model");
  }

  /** A tool's name as the model is given it. */
  String wireName(String tool) {
    Providers.Target known = options.target;
    return known == null || tool.equals(ToolRule.ALL_TOOLS) ? tool : known.format().wireName(tool);
  }

  EpochState shown() {
    return Objects.requireNonNull(shown, "after the epoch step");
  }

  RequestInput input() {
    return Objects.requireNonNull(input, "after the write step");
  }

  /** Sets the texts behind the conversation that are no part of its render. */
  void say(List<String> texts) {
    if (!texts.equals(tail)) {
      tail = List.copyOf(texts);
      tailCosts = texts.stream().map(text -> EpochStep.cost(this, text)).toList();
    }
  }

  /** What they cost. */
  long tailCost() {
    return tailCosts.stream().mapToLong(Long::longValue).sum();
  }

  /** Tokens behind the conversation: sources, what is announced, and what is new in memory. */
  long tailTokens() {
    return metadata().tokens().tail() + tailCost();
  }

  BlockAttribution attribution() {
    return Objects.requireNonNull(attribution, "after the write step");
  }

  /** The key of the request in its conversation. */
  public String id() {
    return id;
  }

  public List<SystemPart> system() {
    return system;
  }

  public List<Message> messages() {
    return messages;
  }

  public @Nullable List<ToolSpec> tools() {
    return tools;
  }

  /** What it holds and why. */
  public ContextMetadata metadata() {
    return Objects.requireNonNull(metadata, "after the count step");
  }

  /** How many tokens the provider will count. */
  public Estimate estimate() {
    return Objects.requireNonNull(estimate, "after the count step");
  }

  /** The conversation as it was rendered. */
  public RenderedContext context() {
    return Objects.requireNonNull(rendered, "after the history step").context();
  }

  /** The provider's form. */
  public ProviderRequest request() {
    return Objects.requireNonNull(request, "after the write step");
  }

  /** How it relates to the request before it. */
  public Prefix prefix() {
    return Objects.requireNonNull(prefix, "after the record step");
  }

  /** What changed of what had been sent; null: nothing did. */
  public @Nullable Divergence divergence() {
    return divergence;
  }
}

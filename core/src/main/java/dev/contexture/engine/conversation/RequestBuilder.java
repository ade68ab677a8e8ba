package dev.contexture.engine.conversation;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.model.CacheRules;
import dev.contexture.model.WireFinding;
import dev.contexture.render.Message;
import dev.contexture.render.RenderReport;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.ActivityRenderer;
import dev.contexture.request.AssembledContext;
import dev.contexture.request.CacheKey;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.ContextConfig;
import dev.contexture.request.ContextMetadata;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.ProofMode;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestDraft;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.Summary;
import dev.contexture.token.Calibration;
import dev.contexture.token.Estimate;
import dev.contexture.token.TokenMeter;
import dev.contexture.tool.ToolRules;
import dev.contexture.view.Part;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Collects what a request is made of, beside the conversation itself. Confined to one thread. */
@API(status = API.Status.STABLE, since = "0.1")
public final class RequestBuilder {
  private final Turn turn;
  private final Providers.Target target;
  private final List<String> instructions = new ArrayList<>();
  private RequestDraft draft;
  private OptionalInt maxOutputTokens = OptionalInt.empty();
  private boolean stream;
  private CachePolicy cache = CachePolicy.DEFAULT;
  private LedgerSettings.@Nullable Mode check;
  private ProofMode proof = ProofMode.REPAIR;

  RequestBuilder(Turn turn, Providers.Target target) {
    this.turn = turn;
    this.target = target;
    this.draft = RequestDraft.EMPTY.withTarget(target);
  }

  /** Limits and choices. */
  public RequestBuilder config(ContextConfig config) {
    draft = draft.withConfig(config);
    return this;
  }

  /** What the model is told first; with an agent and without this, the built-in text (M-89). */
  public RequestBuilder instructions(String text) {
    instructions.add(text);
    return this;
  }

  /** What it may call. */
  public RequestBuilder tools(List<ToolDef> tools) {
    draft = draft.withTools(tools);
    return this;
  }

  /** How it is to call them. */
  public RequestBuilder toolRules(ToolRules rules) {
    draft = draft.withRules(rules);
    return this;
  }

  /** The agent that asks: what it remembers is shown. */
  public RequestBuilder agent(String agent) {
    turn.session().scope().owner().scope().agent(agent); // checks its form
    draft = draft.withAgent(agent);
    return this;
  }

  /** Memory blocks to show in this turn even if they are not pinned, by id or label (M-92). */
  public RequestBuilder blocks(List<String> idsOrLabels) {
    draft = draft.withBlocks(idsOrLabels);
    return this;
  }

  /** Tells the agent about recent events. */
  public RequestBuilder activity(@Nullable ActivityRenderer renderer) {
    draft = draft.withActivity(renderer);
    return this;
  }

  /** The most that the model may say; by default what the limits reserve for it. */
  public RequestBuilder maxOutputTokens(int tokens) {
    this.maxOutputTokens = OptionalInt.of(tokens);
    return this;
  }

  public RequestBuilder includeSources(boolean include) {
    draft = draft.withSources(include);
    return this;
  }

  public RequestBuilder includeAnnounce(boolean include) {
    draft = draft.withAnnounce(include);
    return this;
  }

  /** Whether the answer is to be streamed. */
  public RequestBuilder stream(boolean stream) {
    this.stream = stream;
    return this;
  }

  /** How the prompt cache is asked for; lives follow the pace of the conversation. */
  public RequestBuilder cache(CachePolicy policy) {
    this.cache = policy;
    return this;
  }

  /** What happens if it does not repeat what was sent before; by default as the engine is set. */
  public RequestBuilder prefixCheck(LedgerSettings.Mode mode) {
    this.check = mode;
    return this;
  }

  /** What happens if its provider would refuse it; by default it is repaired. */
  public RequestBuilder proof(ProofMode mode) {
    this.proof = mode;
    return this;
  }

  /** Puts the request together, writes it and keeps a record of it. */
  public ContextRequest build() {
    return turn.session().untilDone(this::tryToBuild);
  }

  /** Empty: something that it would hold was erased meanwhile. */
  private Optional<ContextRequest> tryToBuild() {
    Session session = turn.session();
    long version = session.locked(() -> session.current().version());
    AssembledContext assembled =
        session.services().assembler().assemble(draft.withInstructions(instructions), turn.bound());
    BigDecimal ratio = target.profile().tokenizer().ratio();
    RenderedContext context = Objects.requireNonNull(assembled.rendered());
    long media = media(new TokenMeter(draft.counter(), ratio), context);
    long base = base(assembled.metadata().tokens().total() - media);
    Calibration known = session.services().calibrations().of(target.model(), target.profile());
    Counted counted = new Counted(base, media, known.estimate(base, media));
    return session.locked(() -> write(session, assembled, counted, version));
  }

  private Optional<ContextRequest> write(
      Session session, AssembledContext assembled, Counted counted, long version) {
    RenderedContext context = Objects.requireNonNull(assembled.rendered());
    String id = session.services().ids().of("req");
    Ledger ledger = session.ledger();
    RequestInput input = input(assembled, counted);
    ProviderRequest request = session.writer(target.format()).write(input);
    Optional<Ledger.Entered> kept =
        ledger.enter(
            new Ledger.Draft(
                id,
                target,
                request,
                new BlockAttribution(assembled),
                record(request, assembled, counted, input),
                epoch(assembled),
                check == null ? session.services().ledger().mode() : check,
                turn.id(),
                draft.agent(),
                assembled.memory(),
                version,
                boundTail(assembled)));
    return kept.map(
        entered ->
            new ContextRequest(
                id,
                target,
                request,
                context,
                counted.estimate,
                entered.prefix(),
                entered.divergence(),
                assembled.metadata().withWarnings(traffic(id, request, input))));
  }

  /**
   * What was sent may change when another summary stands for it, other turns are left out, or
   * memory is shown anew.
   */
  private String epoch(AssembledContext assembled) {
    RenderedContext context = Objects.requireNonNull(assembled.rendered());
    String summary = context.view().window().summary().map(Summary::id).orElse("");
    Set<TurnId> omitted = context.view().timeline().omittedTurns();
    String turns =
        omitted.isEmpty()
            ? ""
            : "-" + omitted.stream().map(TurnId::value).sorted().toList().hashCode();
    ContextMetadata.Epoch memory = assembled.metadata().epoch();
    CachePolicy.HostCache held = cache.explicit();
    return summary
        + turns
        + (memory == null ? "" : "@" + draft.agent() + "/" + memory.number())
        + (held == null ? "" : "+" + held.name() + "/" + held.coversBlocks());
  }

  /** Counts as the calibration wants them: text without the catalogue's ratio, media apart. */
  private record Counted(long base, long media, Estimate estimate) {}

  private long base(long textTokens) {
    double ratio = target.profile().tokenizer().ratio().doubleValue();
    return Math.round(Math.max(0, textTokens) / ratio);
  }

  private static long media(TokenMeter meter, RenderedContext context) {
    long tokens = 0;
    for (Message message : context.messages()) {
      for (Part part : message.parts()) {
        tokens += media(meter, part);
      }
    }
    return tokens;
  }

  private static long media(TokenMeter meter, Part part) {
    return switch (part) {
      case Part.Image image -> meter.image(image.data());
      case Part.Document document -> meter.document(document.data());
      case Part.ToolResult result ->
          result.content().stream().mapToLong(inner -> media(meter, inner)).sum();
      case Part.Text _unused -> 0;
      case Part.ToolCall _unused -> 0;
      case Part.Opaque _unused -> 0;
    };
  }

  private RequestInput input(AssembledContext assembled, Counted counted) {
    return RequestInput.builder(target.model(), outputTokens(assembled))
        .system(assembled.system())
        .systemTokens(assembled.systemTokens())
        .tools(assembled.toolDefs())
        .messages(assembled.messages())
        .points(assembled.points())
        .volatileParts(assembled.volatileParts())
        .cacheKey(cacheKey())
        .stream(stream)
        .cache(turn.session().ledger().policy(cache, target, draft.agent(), room(assembled)))
        .last(turn.session().ledger().last(target, draft.agent()))
        .highTokens(target.profile().unknownModel() ? 0 : counted.estimate.high())
        .proof(proof)
        .build();
  }

  private int outputTokens(AssembledContext assembled) {
    long reserved = assembled.metadata().limits().limits().reservedResponseTokens();
    int known = target.profile().maxOutput();
    long most = known > 0 ? Math.min(known, reserved) : reserved;
    return maxOutputTokens.orElse((int) Math.min(Integer.MAX_VALUE, most));
  }

  /** How much may come until the next compaction; negative: there is no limit. */
  private static long room(AssembledContext assembled) {
    RenderReport report = Objects.requireNonNull(assembled.rendered()).report();
    OptionalLong limit = report.limit();
    return limit.isEmpty() ? -1 : Math.max(0, limit.getAsLong() - report.totalTokens());
  }

  /** Names the conversation to the cache router, if the host has a secret for that (P-31). */
  private @Nullable String cacheKey() {
    Scope.OfConversation scope = turn.session().scope();
    return turn.session()
        .services()
        .cacheSecrets()
        .apply(scope.tenant())
        .map(secret -> CacheKey.of(secret, scope, draft.agent(), CacheKey.Policy.CONVERSATION))
        .orElse(null);
  }

  /** Texts at the end that stay if the answer is bound to them. */
  private List<String> boundTail(AssembledContext assembled) {
    return Ledger.preserves(target.profile()) ? assembled.tail() : List.of();
  }

  /** What is recorded beside the blocks, so that its answer can be understood. */
  private JsonObject record(
      ProviderRequest request, AssembledContext assembled, Counted counted, RequestInput input) {
    JsonObject.Builder aliases = JsonObject.builder();
    request.aliases().forEach(aliases::put);
    return JsonObject.builder()
        .put("provider", target.model().provider())
        .put("format", target.format().name())
        .put("model", target.model().model())
        .putIfPresent("agent", draft.agent())
        .put("system_tokens", assembled.systemTokens())
        .put("stable_tokens", Objects.requireNonNull(assembled.rendered()).report().stableTokens())
        .put("tail_tokens", assembled.tailTokens())
        .put("base_tokens", counted.base)
        .put("media_tokens", counted.media)
        .put("estimated_tokens", counted.estimate.tokens())
        .put("body_bytes", request.body().sizeBytes())
        .put("aliases", aliases.build())
        .put("scope", cacheScope(input))
        .put("settings", settings(input))
        .put("repairs", LedgerRecord.writeRepairs(request.repairs()))
        .build();
  }

  /**
   * Within what a provider's caches are shared (P-38): the account, and the key if there is one.
   */
  private String cacheScope(RequestInput input) {
    Scope.OfConversation scope = turn.session().scope();
    String account = scope.tenant() + "/" + scope.project();
    return input.cacheKey().map(key -> account + "#" + key).orElse(account);
  }

  private static JsonObject settings(RequestInput input) {
    return JsonObject.builder()
        .put("max_output_tokens", input.maxOutputTokens())
        .put("stream", input.stream())
        .put("tool_choice", input.toolChoice().wireName())
        .put("intent", word(input.cache().intent()))
        .put("system_life", word(input.cache().systemLife()))
        .put("message_life", word(input.cache().messageLife()))
        .build();
  }

  private static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** What the request should know of others that use the same caches. */
  private List<WireFinding> traffic(String id, ProviderRequest request, RequestInput input) {
    InFlightRequests traffic = turn.session().services().traffic();
    Instant now = turn.session().services().now();
    List<WireFinding> warnings = new ArrayList<>();
    int started = input.cacheKey().map(key -> traffic.started(key, now)).orElse(0);
    if (started > InFlightRequests.MOST_PER_MINUTE) {
      warnings.add(
          new WireFinding(
              "cache_key_rate",
              "/prompt_cache_key",
              started
                  + " requests in a minute have this key, best are at most "
                  + InFlightRequests.MOST_PER_MINUTE
                  + ": caches are missed beyond"));
    }
    CacheRules rules = target.profile().cache();
    if (rules.mode() != CacheRules.Mode.UNKNOWN
        && input.systemTokens() >= rules.minTokens()
        && traffic.sent(id, beginning(request), now, Ledger.life(target.profile(), request))) {
      warnings.add(
          new WireFinding(
              "prefix_not_readable_yet",
              "",
              "another request that begins alike has no answer yet: send this one after its first"
                  + " event, so that it reads what that one writes"));
    }
    return warnings;
  }

  private List<String> beginning(ProviderRequest request) {
    Scope.OfConversation scope = turn.session().scope();
    List<byte[]> hashes = new ArrayList<>();
    for (RequestBlock block : request.blocks()) {
      if (block.tier() != RequestBlock.Tier.MESSAGES) {
        hashes.add(block.fingerprint().hex().getBytes(StandardCharsets.US_ASCII));
      }
    }
    return List.of(
        scope.tenant(),
        scope.project(),
        target.format().name(),
        target.model().model(),
        Fingerprint.of(hashes.toArray(byte[][]::new)).hex());
  }
}

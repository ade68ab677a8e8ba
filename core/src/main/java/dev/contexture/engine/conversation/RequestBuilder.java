package dev.contexture.engine.conversation;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelFlag;
import dev.contexture.render.Message;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.CacheKey;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestInput;
import dev.contexture.request.SystemPart;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.Summary;
import dev.contexture.token.Calibration;
import dev.contexture.token.Estimate;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.CachePoint;
import dev.contexture.view.Dialect;
import dev.contexture.view.Part;
import dev.contexture.view.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Collects what a request is made of, beside the conversation itself. Confined to one thread. */
@API(status = API.Status.STABLE, since = "0.1")
public final class RequestBuilder {
  private static final int DEFAULT_OUTPUT_TOKENS = 4_096;

  private final Turn turn;
  private final Providers.Target target;
  private final List<SystemPart> system = new ArrayList<>();
  private List<ToolDef> tools = List.of();
  private int maxOutputTokens;
  private boolean includeSources;
  private boolean includeAnnounce;
  private boolean stream;
  private @Nullable String agent;
  private CachePolicy cache = CachePolicy.DEFAULT;
  private LedgerSettings.@Nullable Mode check;

  RequestBuilder(Turn turn, Providers.Target target) {
    this.turn = turn;
    this.target = target;
    int known = target.profile().maxOutput();
    this.maxOutputTokens =
        known > 0 ? Math.min(known, DEFAULT_OUTPUT_TOKENS) : DEFAULT_OUTPUT_TOKENS;
  }

  /** What the model is told before the conversation. */
  public RequestBuilder instructions(String text) {
    system.add(SystemPart.of(text));
    return this;
  }

  /** What it may call. */
  public RequestBuilder tools(List<ToolDef> tools) {
    this.tools = List.copyOf(tools);
    return this;
  }

  /** The agent that asks; kept with the record of the request. */
  public RequestBuilder agent(String agent) {
    this.agent = agent;
    return this;
  }

  public RequestBuilder maxOutputTokens(int tokens) {
    this.maxOutputTokens = tokens;
    return this;
  }

  public RequestBuilder includeSources(boolean include) {
    this.includeSources = include;
    return this;
  }

  public RequestBuilder includeAnnounce(boolean include) {
    this.includeAnnounce = include;
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

  /** Renders the conversation, writes the request and keeps a record of it. */
  public ContextRequest build() {
    RenderOptions options = options();
    RenderedContext context = turn.timeline(options);
    long media = media(options.meter(), context);
    long base = base(context.report().totalTokens() - media);
    Session session = turn.session();
    Calibration known = session.services().calibrations().of(target.model(), target.profile());
    Counted counted = new Counted(base, media, known.estimate(base, media));
    return session.locked(() -> write(session, context, counted));
  }

  private ContextRequest write(Session session, RenderedContext context, Counted counted) {
    String id = session.services().ids().of("req");
    Ledger ledger = session.ledger();
    ProviderRequest request = session.writer(target.format()).write(input(context));
    Ledger.Entered entered =
        ledger.enter(
            new Ledger.Draft(
                id,
                target,
                request,
                new BlockFacts(context),
                record(request, context, counted),
                epoch(context),
                check == null ? session.services().ledger().mode() : check,
                turn.id(),
                agent));
    return new ContextRequest(
        id, target, request, context, counted.estimate, entered.prefix(), entered.divergence());
  }

  /** What was sent may change when another summary stands for it, or other turns are left out. */
  private static String epoch(RenderedContext context) {
    String summary = context.view().window().summary().map(Summary::id).orElse("");
    Set<TurnId> omitted = context.view().timeline().omittedTurns();
    return omitted.isEmpty()
        ? summary
        : summary + "-" + omitted.stream().map(TurnId::value).sorted().toList().hashCode();
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

  private RenderOptions options() {
    boolean sees = target.profile().has(ModelFlag.IMAGES);
    Set<String> reads = target.profile().reads();
    return RenderOptions.defaults()
        .withDialect(Dialect.NATIVE)
        .withReader(new Reader(target.model(), reads, !sees))
        .withMeter(new TokenMeter(TokenCounter.O200K_BASE, target.profile().tokenizer().ratio()))
        .withSources(includeSources)
        .withAnnounce(includeAnnounce)
        .withSystemText(systemText());
  }

  /** All that is sent before the messages, as it counts. */
  private String systemText() {
    StringBuilder text = new StringBuilder();
    system.forEach(part -> text.append(part.text()).append('\n'));
    tools.forEach(
        tool -> text.append(tool.name()).append(tool.description()).append(tool.schema()));
    return text.toString();
  }

  private RequestInput input(RenderedContext context) {
    long before = context.report().systemTokens();
    List<PointPlace> points = new ArrayList<>();
    for (var place : context.points()) {
      long tokens = before + place.point().tokens();
      points.add(
          new PointPlace(point(place.point().kind()), place.message(), place.part(), tokens));
    }
    return RequestInput.builder(target.model(), maxOutputTokens)
        .system(system)
        .systemTokens(before)
        .tools(tools)
        .messages(context.messages())
        .points(points)
        .volatileParts(context.tailParts())
        .cacheKey(cacheKey())
        .stream(stream)
        .cache(turn.session().ledger().policy(cache, target, agent, room(context)))
        .last(turn.session().ledger().last(target))
        .build();
  }

  /** How much may come until the next compaction; negative: there is no limit. */
  private static long room(RenderedContext context) {
    OptionalLong limit = context.report().limit();
    return limit.isEmpty() ? -1 : Math.max(0, limit.getAsLong() - context.report().totalTokens());
  }

  /** Names the conversation to the cache router, if the host has a secret for that (P-31). */
  private @Nullable String cacheKey() {
    Scope.OfConversation scope = turn.session().scope();
    return turn.session()
        .services()
        .cacheSecrets()
        .apply(scope.tenant())
        .map(secret -> CacheKey.of(secret, scope, agent, CacheKey.Policy.CONVERSATION))
        .orElse(null);
  }

  private static Point point(CachePoint.Kind kind) {
    return switch (kind) {
      case PREV_TURN -> Point.PREV_TURN;
      case PRE_TAIL -> Point.PRE_TAIL;
      case TAIL -> Point.TAIL;
    };
  }

  /** What is recorded beside the blocks, so that its answer can be understood. */
  private JsonObject.Builder record(
      ProviderRequest request, RenderedContext context, Counted counted) {
    JsonObject.Builder aliases = JsonObject.builder();
    request.aliases().forEach(aliases::put);
    return JsonObject.builder()
        .put("provider", target.model().provider())
        .put("format", target.format().name())
        .put("model", target.model().model())
        .putIfPresent("agent", agent)
        .put("system_tokens", context.report().systemTokens())
        .put("stable_tokens", context.report().stableTokens())
        .put("tail_tokens", context.report().tailTokens())
        .put("base_tokens", counted.base)
        .put("media_tokens", counted.media)
        .put("estimated_tokens", counted.estimate.tokens())
        .put("body_bytes", request.body().sizeBytes())
        .put("aliases", aliases.build());
  }
}

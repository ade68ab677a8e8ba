package dev.contexture.server;

import dev.contexture.Contexture;
import dev.contexture.engine.memory.ConsentWait;
import dev.contexture.engine.search.EmbeddingProgress;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.engine.session.WorkInFlight;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.keys.KeyRing;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinException;
import java.io.IOException;
import java.net.BindException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * The engine over HTTP, on virtual threads. It answers from {@link #start} to {@link #close};
 * closing it stops accepting, finishes what runs, and leaves the engine open. Thread-safe.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class ContextureServer implements AutoCloseable {
  static final String CONVERSATION = "/v1/users/{user}/conversations/{conversation}";
  static final String AGENT = "/v1/agents/{agent}";
  private static final String OTHER_METHOD = "other";
  private static final Duration LAG_KEPT = Duration.ofSeconds(1);
  private static final int HEARTBEATS_PER_IDLE = 3;
  private static final Duration IDLE_WHEN_STOPPING = Duration.ofMillis(200);
  private static final Duration TO_CLOSE = Duration.ofSeconds(5); // when all were told to end

  private final ServerOptions options;
  private final IdGenerator ids = new IdGenerator(new SecureRandom());
  private final LoadLimiter traffic;
  private final WaitingCalls waiting = new WaitingCalls(ServerLimits.WAITING_CALLS);
  private final Connections connections;
  private final LogLines log;
  private final ErrorMapper failure;
  private final ServerMetrics metrics;
  private final ServerContext served;
  private final EventRoutes events;
  private final InspectorRoutes inspector = new InspectorRoutes();
  private final List<Route> routes;
  private final Authenticator gate;
  private final WrongKeyDelay wrongKeys = new WrongKeyDelay();
  private final Javalin javalin;

  private ContextureServer(Contexture engine, ServerOptions options, List<Route> more) {
    this.options = options;
    this.traffic = new LoadLimiter(options.limits());
    this.connections =
        new Connections(
            Descriptors.connections(options.limits().connections()), options.limits().times());
    this.log = new LogLines(options.log(), options.logRequests(), InstantSource.system());
    this.failure = new ErrorMapper(ids, log, options.keys() != null);
    RecentValue<Long> lag = new RecentValue<>(engine.search()::knownLag, LAG_KEPT);
    this.metrics = new ServerMetrics(engine, traffic, lag::get);
    this.served =
        new ServerContext(engine, metrics, options.limits(), options.keys(), new WorkInFlight());
    this.events = new EventRoutes(options.idle().dividedBy(HEARTBEATS_PER_IDLE));
    this.routes =
        allRoutes(new StatusRoutes(served, options, lag, vectors(engine), health(lag)), more);
    this.gate = new Authenticator(options.keys(), openPaths(routes));
    this.javalin = Javalin.create(this::configure);
  }

  private static RecentValue<Optional<EmbeddingProgress>> vectors(Contexture engine) {
    return new RecentValue<>(engine.search()::embedding, LAG_KEPT);
  }

  private Health health(RecentValue<Long> lag) {
    Contexture engine = served.engine();
    KeyRing keys = options.keys();
    return new Health(
        new Health.Signs(
            engine.store()::writeProblem,
            lag::get,
            engine.search()::knownPosition,
            () -> engine.search().parked().count(),
            () -> traffic.requests() >= options.limits().requests(),
            failure::metDamage,
            () -> keys != null && !keys.isUsable()));
  }

  /**
   * Starts a server on an open engine.
   *
   * @throws ContextureException {@code invalid_argument} if the port is taken
   */
  public static ContextureServer start(Contexture engine, ServerOptions options) {
    return start(engine, options, List.of());
  }

  /** With further routes. */
  static ContextureServer start(Contexture engine, ServerOptions options, List<Route> more) {
    ContextureServer server = new ContextureServer(engine, options, more);
    try {
      server.javalin.start();
    } catch (JavalinException failed) {
      server.connections.close();
      throw server.cannotStart(failed);
    }
    return server;
  }

  private ContextureException cannotStart(JavalinException failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return options.portTaken(failed);
      }
    }
    return new ContextureException(
        ErrorCode.INTERNAL, "the server cannot start: " + failed.getMessage(), Map.of(), failed);
  }

  private void configure(JavalinConfig config) {
    config.concurrency.useVirtualThreads = true;
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.prefer405over404 = true;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.jetty.modifyServer(this::bound);
    config.jetty.addConnector(this::connector);
    config.jetty.modifyServletContextHandler(
        handler -> handler.setErrorHandler(new ProblemErrors()));
    config.routes.before(this::begin);
    List<Route> handled = new ArrayList<>(routes);
    handled.addAll(inspector.files());
    for (Route route : handled) {
      config.routes.addHttpHandler(
          HandlerType.findOrCreate(route.method().name()),
          route.path(),
          context -> serve(context, route));
      if (route.hasHead()) {
        config.routes.addHttpHandler(
            HandlerType.HEAD, route.path(), context -> serve(context, route));
      }
    }
    config.routes.after(this::end);
    config.routes.exception(
        HttpResponseException.class, (thrown, context) -> fail(context, thrown));
    config.routes.exception(Exception.class, (thrown, context) -> fail(context, thrown));
  }

  private static Set<String> openPaths(List<Route> routes) {
    return routes.stream()
        .filter(route -> route.role() == null)
        .map(Route::path)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Who calls is known before anything else of a request is looked at. */
  private void begin(Context context) {
    if (context.attribute(RequestTrace.ATTRIBUTE) != null) {
      return; // it has begun: nothing of it is taken twice
    }
    RequestTrace exchange = new RequestTrace(ids.of("rq"));
    context.attribute(RequestTrace.ATTRIBUTE, exchange);
    exchange.watched(work(context));
    context.header("X-Request-Id", exchange.id());
    context.header("X-Content-Type-Options", "nosniff");
    who(context).ifPresent(exchange::called);
    if (!gate.isOpen(context.path())) {
      exchange.admitted(traffic.admit(exchange.caller().party(context.header("X-Tenant"))));
    }
  }

  private Optional<Caller> who(Context context) {
    try {
      return gate.admit(context.method().name(), context.path(), headers(context));
    } catch (ContextureException refused) {
      boolean tried = context.header("Authorization") != null;
      if (tried && refused.code() == ErrorCode.UNAUTHENTICATED) {
        wrongKeys.tried(context.ip());
      }
      throw refused;
    }
  }

  /** A request that never got here: it is logged and counted like others. */
  private RequestTrace methodRefused() {
    RequestTrace exchange = new RequestTrace(ids.of("rq"));
    exchange.failed(ErrorCode.METHOD_NOT_ALLOWED.wireName(), null);
    answered(exchange, OTHER_METHOD, ErrorCode.METHOD_NOT_ALLOWED.httpStatus());
    return exchange;
  }

  private void end(Context context) {
    RequestTrace exchange = exchange(context);
    exchange.end();
    String name = context.method().name();
    String method = RequestFilter.METHODS.contains(name) ? name : OTHER_METHOD;
    answered(exchange, method, context.status().getCode());
  }

  private void answered(RequestTrace exchange, String method, int status) {
    metrics.answered(method, exchange, status);
    log.request(exchange, method, status);
  }

  private static RequestTrace exchange(Context context) {
    return Objects.requireNonNull(context.<RequestTrace>attribute(RequestTrace.ATTRIBUTE));
  }

  private static Authenticator.Headers headers(Context context) {
    return new Authenticator.Headers(
        context.header("Host"),
        context.header("Origin"),
        context.header("Authorization"),
        context.header("Sec-Fetch-Site"),
        context.header("Content-Type"));
  }

  private void bound(Server server) {
    server.setStopTimeout(options.stop().plus(TO_CLOSE).toMillis());
    server.insertHandler(
        new RequestFilter(connections, options.limits().times(), this::methodRefused));
    server.setErrorHandler(new ProblemErrors());
  }

  private ServerConnector connector(Server server, HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(options.limits().headerBytes());
    http.setUriCompliance(
        http.getUriCompliance().without("contexture", UriCompliance.Violation.UTF16_ENCODINGS));
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.addBean(connections);
    connector.setHost(options.host());
    connector.setPort(options.port());
    connector.setIdleTimeout(options.idle().toMillis());
    connector.setShutdownIdleTimeout(IDLE_WHEN_STOPPING.toMillis());
    return connector;
  }

  /** All routes, in the order of the documentation. */
  List<Route> routes() {
    return routes;
  }

  private List<Route> allRoutes(StatusRoutes status, List<Route> more) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(inspector.routes());
    routes.addAll(status.routes());
    routes.addAll(UserRoutes.routes());
    routes.addAll(ConversationRoutes.routes(CONVERSATION));
    routes.addAll(TurnRoutes.routes(CONVERSATION));
    routes.addAll(BlockRoutes.routes(CONVERSATION));
    routes.addAll(ModelRoutes.routes(CONVERSATION));
    routes.addAll(LedgerRoutes.routes(CONVERSATION));
    routes.addAll(UsageRoutes.routes(CONVERSATION));
    routes.addAll(TimelineRoutes.routes(CONVERSATION));
    routes.addAll(SummaryRoutes.routes(CONVERSATION));
    routes.addAll(PinRoutes.routes(CONVERSATION));
    routes.addAll(CompactionRoutes.routes(CONVERSATION));
    routes.addAll(ToolRoutes.ofConversation(CONVERSATION));
    routes.addAll(events.routes(CONVERSATION));
    routes.addAll(events.projectRoutes());
    routes.addAll(AgentRoutes.routes(AGENT));
    routes.addAll(EraseRoutes.routes(AGENT));
    routes.addAll(RequestRoutes.ofAgents(AGENT));
    routes.addAll(MemoryRoutes.routes(AGENT));
    routes.addAll(ToolRoutes.ofAgent(AGENT));
    routes.addAll(events.memoryRoutes(AGENT));
    routes.addAll(SearchRoutes.routes());
    routes.addAll(more);
    routes.addAll(StatusRoutes.describing(routes, options.version()));
    return List.copyOf(routes);
  }

  private Call call(Context context, Route route) {
    RequestTrace exchange = exchange(context);
    exchange.routed(route);
    return new Call(context, served, route, exchange);
  }

  /** A handler's {@link Error} is answered and logged like any other failure. */
  private void serve(Context context, Route route) {
    try {
      Call call = call(context, route);
      send(
          context,
          ConsentWait.during(waiting.of(exchange(context)), () -> route.handler().handle(call)));
    } catch (Error broken) {
      fail(context, broken);
    }
  }

  private void fail(Context context, Throwable thrown) {
    if (OutOfMemoryExit.isOutOfMemory(thrown)) {
      options.lastResort().run(); // nothing that was being done can be relied on
    }
    Response answer =
        failure.of(thrown, context.method().name(), context.path(), exchange(context));
    if (!context.res().isCommitted()) {
      send(context, answer);
    }
  }

  /**
   * Writes an answer, so that a request lasts until its reader has taken all but the last buffer of
   * it: what the server holds for slow readers is bounded by the requests that it admits. The end
   * of the answer leaves behind the request's line in the log and its measurement.
   */
  private static void send(Context context, Response answer) {
    if (answer.isStreamed()) {
      return;
    }
    work(context).answers();
    answer.headers().forEach(context::header);
    context.status(answer.status());
    if (answer.text().isEmpty()) {
      return;
    }
    context.contentType(answer.contentType());
    byte[] bytes = answer.bytes();
    byte[] end = answer.end();
    if (HandlerType.HEAD.equals(context.method())) {
      context.res().setContentLengthLong(bytes.length + end.length);
      return;
    }
    try {
      context.res().getOutputStream().write(bytes);
      context.res().getOutputStream().write(end);
    } catch (IOException gone) {
      // The reader went away, or did not read for too long: nobody is left to be told.
      System.getLogger(ContextureServer.class.getName())
          .log(System.Logger.Level.DEBUG, "a reader of an answer was dropped", gone);
    }
  }

  private static RunningRequest work(Context context) {
    return Objects.requireNonNull(context.<RunningRequest>attribute(RunningRequest.ATTRIBUTE));
  }

  /** Where it listens, for example {@code http://127.0.0.1:8321}. */
  public String address() {
    String host = options.host();
    String name = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    return "http://" + name + ":" + port();
  }

  /** The port on which it listens. */
  public int port() {
    return javalin.port();
  }

  @Override
  public void close() {
    waiting.close();
    events.close();
    connections.stop(options.stop());
    try {
      javalin.stop();
    } finally {
      connections.close();
      metrics.close();
    }
  }
}

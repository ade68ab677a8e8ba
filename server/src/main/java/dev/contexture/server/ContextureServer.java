package dev.contexture.server;

import dev.contexture.Contexture;
import dev.contexture.engine.memory.ConsentWait;
import dev.contexture.engine.search.EmbeddingProgress;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.engine.session.WorkInFlight;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.access.Authenticator;
import dev.contexture.server.access.Caller;
import dev.contexture.server.access.WrongKeyDelay;
import dev.contexture.server.agent.AgentApi;
import dev.contexture.server.conversation.ConversationApi;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFilter;
import dev.contexture.server.http.RequestTrace;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import dev.contexture.server.http.ServerContext;
import dev.contexture.server.http.ServerMetrics;
import dev.contexture.server.http.WaitingCalls;
import dev.contexture.server.inspector.InspectorRoutes;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.load.Connections;
import dev.contexture.server.load.Descriptors;
import dev.contexture.server.load.LoadLimiter;
import dev.contexture.server.load.RunningRequest;
import dev.contexture.server.operation.AuditRoutes;
import dev.contexture.server.operation.AuditTrail;
import dev.contexture.server.operation.BackgroundTasks;
import dev.contexture.server.operation.ErrorMapper;
import dev.contexture.server.operation.Health;
import dev.contexture.server.operation.LogLines;
import dev.contexture.server.operation.ProblemErrors;
import dev.contexture.server.operation.RecentValue;
import dev.contexture.server.operation.RetentionRoutes;
import dev.contexture.server.operation.StatusRoutes;
import dev.contexture.server.stream.EventRoutes;
import dev.contexture.server.stream.McpRoutes;
import dev.contexture.server.tls.TlsCertificate;
import dev.contexture.server.tls.TlsFiles;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * The engine over HTTP, on virtual threads. It answers from {@link #start} to {@link #close};
 * closing it stops accepting, finishes what runs, and leaves the engine open. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContextureServer implements AutoCloseable {
  private static final String OTHER_METHOD = "other";
  private static final Duration LAG_KEPT = Duration.ofSeconds(1);
  private static final int HEARTBEATS_PER_IDLE = 3;
  private static final Duration IDLE_WHEN_STOPPING = Duration.ofMillis(200);
  private static final Duration KEYS_EVERY = Duration.ofSeconds(30);
  private static final Duration TLS_EVERY = Duration.ofSeconds(1);
  private static final Duration RETENTION_FIRST = Duration.ofMinutes(1);
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
  private final McpRoutes mcp;
  private final InspectorRoutes inspector = new InspectorRoutes();
  private final List<Route> routes;
  private final Authenticator gate;
  private final WrongKeyDelay wrongKeys = new WrongKeyDelay();
  private final @Nullable TlsCertificate tls;
  private final AuditTrail trail;
  private final RetentionRoutes retention;
  private final BackgroundTasks tasks;
  private volatile Runnable whenAddressChanges = () -> {};
  private final Javalin javalin;

  private ContextureServer(Contexture engine, ServerOptions options, List<Route> more) {
    this.options = options;
    this.traffic = new LoadLimiter(options.limits());
    this.connections =
        new Connections(
            Descriptors.connections(options.limits().connections()), options.limits().times());
    this.log = new LogLines(options.log(), options.logRequests(), InstantSource.system());
    this.failure = new ErrorMapper(ids, log);
    RecentValue<Long> lag = new RecentValue<>(engine.search()::knownLag, LAG_KEPT);
    this.metrics = new ServerMetrics(engine, traffic, lag::get);
    this.served =
        new ServerContext(engine, metrics, options.limits(), options.keys(), new WorkInFlight());
    this.events = new EventRoutes(options.idle().dividedBy(HEARTBEATS_PER_IDLE));
    TlsFiles files = options.duties().tls();
    this.tls = files == null ? null : TlsCertificate.open(files, InstantSource.system());
    this.tasks = new BackgroundTasks(log);
    this.trail = new AuditTrail(options.duties().audit(), log, InstantSource.system());
    this.retention = new RetentionRoutes(engine, trail, log, options.duties().retention());
    this.mcp = new McpRoutes(ids, options.version(), events);
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
      server.tasks.close();
      throw server.cannotStart(failed);
    }
    server.beginTasks();
    return server;
  }

  private void beginTasks() {
    KeyRing keys = options.keys();
    if (keys != null) {
      keys.whenChanged(trail::changed);
      tasks.every(KEYS_EVERY, KEYS_EVERY, "keys", keys::writeUses);
    }
    if (tls != null) {
      TlsCertificate shown = tls;
      tasks.every(TLS_EVERY, TLS_EVERY, "tls", () -> shown.look().ifPresent(this::certified));
    }
    ServerDuties duties = options.duties();
    if (!duties.retention().isEmpty()) {
      Duration every = duties.retentionEvery();
      Duration first = every.compareTo(RETENTION_FIRST) < 0 ? every : RETENTION_FIRST;
      tasks.every(first, every, "retention", retention::runConfigured);
    }
  }

  private void certified(TlsCertificate.Change change) {
    ContextureException refused = change.refused();
    String until = Objects.requireNonNull(tls).validUntil().toString();
    if (refused == null) {
      log.event("tls_reloaded", JsonObject.of("valid_until", JsonValue.of(until)));
      whenAddressChanges.run();
    } else {
      log.event(
          "tls_refused",
          JsonObject.builder()
              .put("message", String.valueOf(refused.getMessage()))
              .put("kept_until", until)
              .build());
    }
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
    ServerConnector connector = connector(server, http, tls);
    connector.addBean(connections);
    connector.setHost(options.host());
    connector.setPort(options.port());
    connector.setIdleTimeout(options.idle().toMillis());
    connector.setShutdownIdleTimeout(IDLE_WHEN_STOPPING.toMillis());
    return connector;
  }

  private static ServerConnector connector(
      Server server, HttpConfiguration http, @Nullable TlsCertificate tls) {
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    if (tls == null) {
      return new ServerConnector(server, plain);
    }
    http.addCustomizer(new SecureRequestCustomizer(false)); // the name is the proxy's or the host's
    return new ServerConnector(
        server, new SslConnectionFactory(tls.factory(), plain.getProtocol()), plain);
  }

  /** All routes, in the order of the documentation. */
  List<Route> routes() {
    return routes;
  }

  private List<Route> allRoutes(StatusRoutes status, List<Route> more) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(inspector.routes());
    routes.addAll(status.routes());
    routes.addAll(ConversationApi.routes());
    routes.addAll(AgentApi.ofConversation());
    routes.addAll(events.routes());
    routes.addAll(AgentApi.ofAgent());
    routes.addAll(ConversationApi.ofAgent());
    routes.addAll(AgentApi.ofMemory());
    routes.addAll(events.memoryRoutes());
    routes.addAll(AgentApi.ofProject());
    routes.addAll(new AuditRoutes(trail).routes());
    routes.addAll(retention.routes());
    routes.addAll(mcp.routes());
    routes.addAll(more);
    routes.addAll(StatusRoutes.describing(routes, options.version()));
    return List.copyOf(routes);
  }

  private Call call(Context context, Route route) {
    RequestTrace exchange = exchange(context);
    exchange.routed(route);
    exchange.aimed(context.pathParamMap());
    return new Call(context, served, route, exchange);
  }

  /** A handler's {@link Error} is answered and logged like any other failure. */
  private void serve(Context context, Route route) {
    try {
      Call call = call(context, route);
      Response answer =
          ConsentWait.during(waiting.of(exchange(context)), () -> route.handler().handle(call));
      trail.called(exchange(context), context.ip(), answer.status());
      send(context, answer);
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
    trail.called(exchange(context), context.ip(), answer.status());
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

  /** Where it listens, for example {@code http://127.0.0.1:8321}; with TLS {@code https://…}. */
  public String address() {
    String host = options.host();
    String name = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    return (tls == null ? "http://" : "https://") + name + ":" + port();
  }

  /**
   * Tells where it listens, now and whenever its certificate changes, so that others on this
   * machine find it: with TLS the address ends with {@code #sha256=HEX}, by which the certificate
   * is known where its name does not fit.
   */
  public void announce(Consumer<String> told) {
    whenAddressChanges =
        () -> told.accept(address() + (tls == null ? "" : "#sha256=" + tls.fingerprint()));
    whenAddressChanges.run();
  }

  /** The port on which it listens. */
  public int port() {
    return javalin.port();
  }

  @Override
  public void close() {
    waiting.close();
    events.close();
    tasks.close(options.stop());
    mcp.close();
    connections.stop(options.stop());
    try {
      javalin.stop();
    } finally {
      connections.close();
      metrics.close();
      writeUses();
    }
  }

  private void writeUses() {
    try {
      if (options.keys() != null) {
        options.keys().writeUses();
      }
    } catch (IOException failed) {
      log.event(
          "task_failed",
          JsonObject.builder().put("task", "keys").put("trace", LogLines.trace(failed)).build());
    }
  }
}

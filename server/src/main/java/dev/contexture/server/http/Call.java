package dev.contexture.server.http;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.search.Search;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonText;
import dev.contexture.memory.permission.Actor;
import dev.contexture.server.ServerLimits;
import dev.contexture.server.access.Caller;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.server.load.JsonCost;
import dev.contexture.server.load.LoadLimiter;
import dev.contexture.server.load.RunningRequest;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** One request to a route. Confined to the thread that handles it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Call {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int SHOWN_TIMES = 4; // as parts, as values, as text and as bytes

  private final Context http;
  private final ServerContext served;
  private final Contexture engine;
  private final RequestTrace exchange;
  private final Caller caller;
  private final Scope scope;
  private final QueryParameters queries;
  private @Nullable String text;
  private @Nullable String namedUser;
  private @Nullable ContextBrowser browser;

  /**
   * @throws ContextureException {@code forbidden} if the caller may not call this route, or a
   *     header or the path names what its key is not for; as {@link QueryParameters#of} for the
   *     query
   */
  public Call(Context http, ServerContext served, Route route, RequestTrace exchange) {
    this.http = http;
    this.served = served;
    this.engine = served.engine();
    this.exchange = exchange;
    this.caller = exchange.caller();
    KeyRole needed = route.role();
    if (needed == null) {
      this.scope = caller.scope(null, null);
    } else {
      this.scope = caller.scope(header("X-Tenant").orElse(null), header("X-Project").orElse(null));
      exchange.scoped(scope);
      caller.needs(needed);
    }
    Map<String, String> named = http.pathParamMap();
    Optional.ofNullable(named.get("user")).ifPresent(caller::mayReachUser);
    Optional.ofNullable(named.get("agent")).ifPresent(caller::mayReachAgent);
    givenActor().ifPresent(actor -> caller.mayActAs(actor, named.get("agent")));
    this.queries = QueryParameters.of(http.req().getQueryString(), route.queries());
  }

  /** The same call with a member of its body in the place of the body. */
  private Call(Call whole, String text) {
    this.http = whole.http;
    this.served = whole.served;
    this.engine = whole.engine;
    this.exchange = whole.exchange;
    this.caller = whole.caller;
    this.scope = whole.scope;
    this.queries = whole.queries;
    this.browser = whole.browser;
    this.text = text;
  }

  /** This call, for a route that takes a member of the body as its own; it must be an object. */
  public Call part(String name) {
    return new Call(this, JsonText.member(text(), name).orElse("{}"));
  }

  public Contexture engine() {
    return engine;
  }

  public ServerMetrics metrics() {
    return served.metrics();
  }

  /** Does a step of the conversation when the same one is not under way. */
  public <T> T alone(String step, Supplier<T> work) {
    return served.steps().alone(conversation(), step, work);
  }

  /** What the request holds; a stream counts apart. */
  public LoadLimiter.Admission admission() {
    return Objects.requireNonNull(exchange.admission());
  }

  /** The watch over the request's times. */
  public RunningRequest work() {
    return Objects.requireNonNull(http.<RunningRequest>attribute(RunningRequest.ATTRIBUTE));
  }

  /** The request itself, for a route that streams its answer. */
  public Context http() {
    return http;
  }

  /** Who calls. */
  public Caller caller() {
    return caller;
  }

  /**
   * Refuses all but administrators, where a route has requests for others too; the audit log tells
   * of it.
   *
   * @throws ContextureException {@code forbidden}
   */
  public void administers() {
    exchange.administers();
    caller.needs(KeyRole.ADMIN);
  }

  /** Whether the key is still taken, and for the same: a stream outlives the check of its start. */
  public boolean isAdmitted() {
    KeyRing keys = served.keys();
    String key = caller.key();
    return keys == null || key == null || keys.isLive(new KeyRing.Found(key, caller.grant()));
  }

  public Scope scope() {
    return scope;
  }

  /** Whether the host calls, or somebody without keys, and names no project: all are meant. */
  public boolean isForAllProjects() {
    return caller.grant().scope() == null
        && header("X-Tenant").isEmpty()
        && header("X-Project").isEmpty();
  }

  public Scope.OfUser user() {
    return scope().user(path("user"));
  }

  /**
   * Checks the name of an agent, and that the caller may reach it.
   *
   * @throws ContextureException {@code invalid_scope} or {@code forbidden}
   */
  public String agent(String name) {
    String checked = scope().agent(name).agent();
    caller.mayReachAgent(checked);
    return checked;
  }

  /** The agent of the path. */
  public String agent() {
    return agent(path("agent"));
  }

  /** Who acts, if the request says so. */
  public Optional<Actor> givenActor() {
    return header("X-Actor").map(Actor::parse);
  }

  /**
   * A header that says for whom the request is.
   *
   * @throws ContextureException {@code invalid_argument} if it is there twice: others that read the
   *     request, a proxy for example, may take the other one
   */
  private Optional<String> header(String name) {
    List<String> given = Collections.list(http.req().getHeaders(name));
    if (given.size() > 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, name, given.size() + " times", "at most once");
    }
    return given.stream().findFirst();
  }

  /** The user that the body of a request about memory names. */
  @Nullable String namedUser() {
    return namedUser;
  }

  void nameUser(@Nullable String user) {
    namedUser = user;
  }

  /** The memory of the project, as {@link MemoryView} says. */
  public MemoryStore memory() {
    return MemoryView.of(this);
  }

  public Scope.OfConversation conversation() {
    return user().conversation(path("conversation"));
  }

  /** The conversation, whether it exists or not; with a key that is bound to an agent it must. */
  public ContextBrowser browser() {
    return caller.grant().agent() == null ? startable() : known();
  }

  /** The conversation, for what may start it. */
  public ContextBrowser startable() {
    ContextBrowser known = browser;
    if (known == null) {
      known = engine.browser(conversation());
      checkAgents();
      browser = known;
    }
    return known;
  }

  /**
   * Refuses a conversation in which another agent took part than the one that the key is bound to:
   * for this key there is no such conversation.
   *
   * @throws ContextureException {@code not_found}
   */
  public void checkAgents() {
    String agent = caller.grant().agent();
    if (agent != null && engine.browser(conversation()).hasOtherAgent(agent)) {
      throw noConversation();
    }
  }

  private ContextureException noConversation() {
    return ContextureException.invalid(
        ErrorCode.NOT_FOUND, "conversation", path("conversation"), "a conversation of the user");
  }

  /** Whether a conversation would be shown: the same as {@link #checkAgents} decides. */
  public boolean reaches(Scope.OfConversation one) {
    String agent = caller.grant().agent();
    return agent == null || engine.store().otherAgent(one, agent).isEmpty();
  }

  /** The search, as much of it as the caller may know. */
  public Search search() {
    return caller.isBound() ? engine.search().byRank() : engine.search();
  }

  /** Tools, as much of them as the caller may know. */
  public AgentTools tools(AgentTools all) {
    return caller.isBound() ? all.withScoresByRank() : all;
  }

  /**
   * The conversation, which must exist.
   *
   * @throws ContextureException {@code not_found}
   */
  public ContextBrowser known() {
    ContextBrowser found = startable();
    if (!found.exists()) {
      throw noConversation();
    }
    return found;
  }

  public TurnId turn() {
    return TurnId.of(path("turn"));
  }

  public String path(String name) {
    return http.pathParam(name);
  }

  public Optional<String> query(String name) {
    return queries.find(name);
  }

  public OptionalLong queryNumber(String name, long least) {
    Optional<String> given = query(name);
    if (given.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(given.get());
      if (number >= least) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException notANumber) {
      // refused below, with what is allowed
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, name, given.get(), "a whole number from " + least);
  }

  public boolean queryFlag(String name) {
    return queryFlag(name, false);
  }

  public boolean queryFlag(String name, boolean absent) {
    return switch (query(name).orElse(String.valueOf(absent))) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw ContextureException.invalid(
              ErrorCode.INVALID_ARGUMENT, name, query(name).orElse(""), "true or false");
    };
  }

  /** The most entries that one answer is to have. */
  public int limit(int absent, int most) {
    return (int) Math.min(most, queryNumber("limit", 1).orElse(absent));
  }

  /**
   * The body, which may have these fields only.
   *
   * @throws ContextureException {@code malformed_json}, {@code field_type}, {@code unknown_field}
   *     or {@code body_too_large}
   */
  public RequestFields body(String... fields) {
    return RequestFields.read(text(), Set.of(fields));
  }

  /** The body as text; it is read once. */
  public String text() {
    String known = text;
    if (known == null) {
      known = readText();
      text = known;
    }
    return known;
  }

  /** Whether the body is of a media type. */
  public boolean hasBodyOf(String mediaType) {
    String type = http.header("Content-Type");
    return type != null && type.toLowerCase(Locale.ROOT).startsWith(mediaType);
  }

  private String readText() {
    BodyStream.check(http, limits().bodyBytes());
    long announced = http.req().getContentLengthLong();
    work().readsBody();
    try (InputStream in = http.req().getInputStream()) {
      String body = BodyText.of(taken(in, (int) Math.max(announced, 0)));
      work().hasBody();
      hold("body", ErrorCode.BODY_TOO_LARGE, JsonCost.of(body));
      return body;
    } catch (CharacterCodingException notUtf8) {
      throw new ContextureException(
          ErrorCode.MALFORMED_JSON, "the body is not UTF-8", Map.of("field", "body"), notUtf8);
    } catch (IOException broken) {
      throw new ContextureException(
          ErrorCode.MALFORMED_JSON,
          "the body ended early, or nothing of it came for too long",
          Map.of("field", "body"),
          broken);
    }
  }

  /**
   * The body, or a refusal if there is no room for it now. What is refused is still read for a
   * while, since most callers listen only when they have said everything.
   */
  private byte[] taken(InputStream in, int announced) throws IOException {
    try {
      admission().body(announced);
      return bytes(in, announced);
    } catch (ContextureException refused) {
      if (refused.retryable()) {
        drain(in);
      }
      throw refused;
    }
  }

  private void drain(InputStream in) throws IOException {
    long deadline = System.nanoTime() + limits().times().body().toNanos();
    byte[] chunk = new byte[CHUNK_BYTES];
    long left = limits().bodyBytes();
    while (left > 0 && System.nanoTime() < deadline) {
      int read = in.read(chunk);
      if (read < 0) {
        return;
      }
      left -= read;
      giveWay();
    }
    http.header("Connection", "close");
  }

  /**
   * Sets memory aside until the request ends.
   *
   * @throws ContextureException the code if it is more than a request can ever have, {@code
   *     too_many_requests} or {@code store_unavailable} if it is not there now
   */
  private void hold(String what, ErrorCode tooLarge, long bytes) {
    if (bytes > admission().most()) {
      throw ContextureException.limit(tooLarge, what, admission().most(), bytes, "bytes in memory");
    }
    admission().hold(bytes);
  }

  /**
   * Sets aside what it takes to load a conversation and show it as a whole, before it is loaded.
   *
   * @throws ContextureException {@code limit_exceeded} if it is larger than the server has memory
   *     for, {@code too_many_requests} or {@code store_unavailable}
   */
  public ContextBrowser shown(ContextBrowser chat) {
    long expected = chat.expectedBytes();
    hold("conversation", ErrorCode.LIMIT_EXCEEDED, expected * SHOWN_TIMES);
    long more = Math.max(0, chat.loadedBytes() - expected); // what the store could not tell
    hold("conversation", ErrorCode.LIMIT_EXCEEDED, more * SHOWN_TIMES);
    return chat;
  }

  /**
   * Reads the body piece by piece, so that neither its size nor its pace goes beyond the limits.
   * What was announced has its room; more of it is asked for as more comes.
   */
  private byte[] bytes(InputStream in, int announced) throws IOException {
    Duration most = limits().times().body();
    long deadline = System.nanoTime() + most.toNanos();
    byte[] body = new byte[announced];
    int size = 0;
    int whole = announced > 0 ? announced + 1 : CHUNK_BYTES; // one more, to see the end
    byte[] chunk = new byte[Math.min(CHUNK_BYTES, whole)];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      if (size + read > limits().bodyBytes()) {
        throw tooLarge((long) size + read);
      }
      if (System.nanoTime() > deadline) {
        http.header("Connection", "close");
        throw new ContextureException(
            ErrorCode.LIMIT_EXCEEDED,
            "the body took more than " + most.toSeconds() + " s to come",
            Map.of("field", "body", "limit", most.toSeconds()),
            null);
      }
      if (size + read > body.length) {
        int more = Math.min(Math.max(size + read, size * 2), limits().bodyBytes());
        admission().body(more - body.length);
        body = Arrays.copyOf(body, more);
      }
      System.arraycopy(chunk, 0, body, size, read);
      size += read;
      if (size >= CHUNK_BYTES) {
        giveWay();
      }
    }
    return size == body.length ? body : Arrays.copyOf(body, size);
  }

  /** Lets others run: a virtual thread that always finds bytes gives its processor to nobody. */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but how fast others are
  private static void giveWay() {
    Thread.yield();
  }

  public ServerLimits limits() {
    return served.limits();
  }

  private ContextureException tooLarge(long bytes) {
    return ContextureException.limit(
        ErrorCode.BODY_TOO_LARGE, "body", limits().bodyBytes(), bytes, "bytes");
  }
}

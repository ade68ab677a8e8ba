package dev.contexture.server.http;

import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.Actor;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The part of the memory of a project that a request sees: that of the actor, by default the agent
 * of the path, and for the user that the request or the key names.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MemoryView {
  /** Names the user: a parameter of reads, a field of bodies. */
  public static final String USER = "user";

  private static final String FORM = "1 to 128 of A-Z a-z 0-9 . _ @ : + -, not . or ..";

  /** In the place of a user: all of them. */
  public static final String EVERYBODY = "*";

  private MemoryView() {}

  static MemoryStore of(Call call) {
    Actor actor = call.givenActor().orElseGet(() -> Actor.agent(call.agent()));
    MemoryStore memory = call.engine().memory(call.scope());
    String user = user(call);
    if (EVERYBODY.equals(user)) {
      readableAgent(call); // for everybody it is the host that looks, for another agent it is not
      MemoryStore host = actor instanceof Actor.Agent ? memory : memory.actingAs(actor);
      return host.forEverybody();
    }
    return memory.actingAs(actor).forUser(user);
  }

  /**
   * The user of a request: the one that it names, else the one that the key is bound to.
   *
   * @return {@link #EVERYBODY} for all of them; null: nobody, which is what an agent has for all
   * @throws ContextureException {@code forbidden} if the key is bound to another one
   */
  public static @Nullable String user(Call call) {
    String bound = call.caller().grant().user();
    String named = call.query(USER).orElseGet(call::namedUser);
    if (named == null) {
      return bound;
    }
    if (named.equals(EVERYBODY)) {
      call.caller().mayReachAllUsers();
      return named;
    }
    call.caller().mayReachUser(named);
    return checked(call, USER, named);
  }

  /**
   * A user that a request names, in its right form.
   *
   * @throws ContextureException {@code invalid_argument} that names the field
   */
  public static String checked(Call call, String field, String named) {
    try {
      return call.scope().user(named).user();
    } catch (ContextureException wrong) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, field, named, "a user: " + FORM);
    }
  }

  /** Whether a request sees what belongs to a user of an agent; null: to the agent itself. */
  public static Predicate<@Nullable String> seen(Call call) {
    String user = user(call);
    return owner -> owner == null || owner.equals(user) || EVERYBODY.equals(user);
  }

  /** The user of a request that is about one of them, or nobody. */
  public static @Nullable String one(Call call) {
    String user = user(call);
    if (EVERYBODY.equals(user)) {
      throw several();
    }
    return user;
  }

  /** The memory of a request that names a block by its label, which only one user can have. */
  public static MemoryStore ofOne(Call call) {
    one(call);
    return of(call);
  }

  private static ContextureException several() {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        USER,
        EVERYBODY,
        "one user; * is for lists, searches, events and ids");
  }

  /** The body of a request about memory: these fields, and the user. */
  public static RequestFields body(Call call, String... fields) {
    Set<String> all = new TreeSet<>(Set.of(fields));
    all.add(USER);
    RequestFields body = call.body(all.toArray(String[]::new));
    String named = body.string(USER);
    if (EVERYBODY.equals(named)) {
      throw several();
    }
    call.nameUser(named);
    return body;
  }

  /**
   * The agent of the path, all of whose memory the actor of the request may read: the agent itself,
   * people and the system.
   *
   * @throws ContextureException {@code access_denied} for another agent
   */
  public static String readableAgent(Call call) {
    String agent = call.agent();
    if (call.givenActor().orElse(null) instanceof Actor.Agent other && !other.id().equals(agent)) {
      throw new ContextureException(
          ErrorCode.ACCESS_DENIED,
          other + " may not read the memory of agent \"" + agent + "\"; ask it to share a block",
          Map.of("actor", other.toString(), "agent", agent),
          null);
    }
    return agent;
  }
}

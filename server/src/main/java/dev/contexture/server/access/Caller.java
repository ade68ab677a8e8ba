package dev.contexture.server.access;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.Actor;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.server.load.ShareHolder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, and what it may reach.
 *
 * @param key the id of the key; null where the server has no keys
 * @param grant what is allowed
 * @param name what people call the key; null: it has no name
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Caller(@Nullable String key, Grant grant, @Nullable String name) {
  private static final String DEFAULT_NAME = "local";

  /** Everybody who reaches a server without keys. */
  static final Caller LOCAL = new Caller(null, Grant.ALL, null);

  /** Whoever calls what needs no key. */
  public static final Caller NOBODY =
      new Caller("", Grant.of(Scope.of(DEFAULT_NAME, DEFAULT_NAME), KeyRole.READER), null);

  static Caller of(KeyRing.Found found) {
    return new Caller(found.id(), found.grant(), found.name());
  }

  /**
   * The project that is meant.
   *
   * @throws ContextureException {@code forbidden} if a header names another one than the key,
   *     {@code invalid_scope} if it names none
   */
  public Scope scope(@Nullable String tenant, @Nullable String project) {
    Scope only = grant.scope();
    if (only == null) {
      return Scope.of(
          Objects.requireNonNullElse(tenant, DEFAULT_NAME),
          Objects.requireNonNullElse(project, DEFAULT_NAME));
    }
    same("X-Tenant", tenant, only.tenant());
    same("X-Project", project, only.project());
    return only;
  }

  private static void same(String header, @Nullable String given, String bound) {
    if (given != null && !given.equals(bound)) {
      throw forbidden(header, "the key is not for the " + header + " that the request names");
    }
  }

  /**
   * Who the call counts for when the server is shared out.
   *
   * @param tenant the tenant that the request names
   */
  public ShareHolder party(@Nullable String tenant) {
    Scope only = grant.scope();
    return new ShareHolder(
        only == null ? Objects.requireNonNullElse(tenant, DEFAULT_NAME) : only.tenant(),
        Objects.requireNonNullElse(key, ""));
  }

  /** Refuses what needs another role. */
  public void needs(KeyRole role) {
    if (!grant.role().covers(role)) {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("required", role.wireName());
      facts.put("actual", grant.role().wireName());
      throw new ContextureException(
          ErrorCode.FORBIDDEN,
          "this needs a key of role "
              + role.wireName()
              + "; this one is of role "
              + grant.role().wireName(),
          facts,
          null);
    }
  }

  /** Refuses another user than the one that the key is bound to. */
  public void mayReachUser(String user) {
    if (grant.user() != null && !grant.user().equals(user)) {
      throw forbidden("user", "the key is bound to another user");
    }
  }

  /** Whether the key is bound to a user or an agent, so that it may learn nothing of others. */
  public boolean isBound() {
    return grant.user() != null || grant.agent() != null;
  }

  /** Whether something of an agent may be seen; null: it is of none. */
  public boolean reachesAgent(@Nullable String agent) {
    return grant.agent() == null || agent == null || grant.agent().equals(agent);
  }

  /** Refuses another agent than the one that the key is bound to. */
  public void mayReachAgent(String agent) {
    if (!reachesAgent(agent)) {
      throw forbidden("agent", "the key is bound to another agent");
    }
  }

  /** Refuses a key that is bound to a user or an agent: what follows spans all of them. */
  public void mayReachAll() {
    mayReachAllUsers();
    mayReachAllAgents();
  }

  /** Refuses a key that is bound to a user: what follows spans all of them. */
  public void mayReachAllUsers() {
    if (grant.user() != null) {
      throw forbidden("user", "the key is bound to a user; this reaches all of them");
    }
  }

  /** Refuses a key that is bound to a user where something changes that is for all of them. */
  public void mayChangeForAll(String what) {
    if (grant.user() != null) {
      throw forbidden(
          "user", "the key is bound to a user; " + what + " for all users, and stays as it is");
    }
  }

  /** Refuses a key that is bound to an agent: what follows spans all of them. */
  public void mayReachAllAgents() {
    if (grant.agent() != null) {
      throw forbidden("agent", "the key is bound to an agent; this reaches all of them");
    }
  }

  /**
   * Refuses an actor that the key may not be.
   *
   * @param own the agent of the path, if there is one
   */
  public void mayActAs(Actor actor, @Nullable String own) {
    if (key == null || (own != null && actor.equals(Actor.agent(own)))) {
      return;
    }
    if (!grant.role().covers(KeyRole.ADMIN)) {
      throw forbidden(
          "X-Actor", "another actor than the agent of the path needs a key of role admin");
    }
    switch (actor) {
      case Actor.Agent other -> mayReachAgent(other.id());
      case Actor.Human human -> mayReachUser(human.id());
      case Actor.System _unused -> {}
    }
  }

  private static ContextureException forbidden(String field, String message) {
    return new ContextureException(ErrorCode.FORBIDDEN, message, Map.of("field", field), null);
  }
}

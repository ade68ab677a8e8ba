package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The owner of data: a tenant and a project. Every address starts here; there is no default.
 *
 * <pre>{@code
 * Scope.of("acme", "shop").user("u42").conversation("c1")
 * Scope.of("acme", "shop").agent("atlas")
 * Scope.of("acme", "shop").agent("atlas").forUser("u42")
 * }</pre>
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Scope(String tenant, String project) {
  private static final int MAX_CHARS = 128;

  public Scope {
    check("tenant", tenant);
    check("project", project);
  }

  public static Scope of(String tenant, String project) {
    return new Scope(tenant, project);
  }

  public OfUser user(String user) {
    return new OfUser(this, user);
  }

  public OfAgent agent(String agent) {
    return new OfAgent(this, agent, null);
  }

  /** One user's part of a project. */
  public record OfUser(Scope scope, String user) {
    public OfUser {
      check("user", user);
    }

    public OfConversation conversation(String conversation) {
      return new OfConversation(this, conversation);
    }
  }

  /** One conversation of a user. */
  public record OfConversation(OfUser owner, String conversation) {
    public OfConversation {
      check("conversation", conversation);
    }

    public String tenant() {
      return owner.scope().tenant();
    }

    public String project() {
      return owner.scope().project();
    }

    public String user() {
      return owner.user();
    }
  }

  /**
   * One agent of a project, or its part for one user.
   *
   * @param user whose part; null: what the agent has for all of its users
   */
  public record OfAgent(Scope scope, String agent, @Nullable String user) {
    public OfAgent {
      check("agent", agent);
      if (user != null) {
        check("user", user);
      }
    }

    /** The same agent for a user; null: for all of them. */
    public OfAgent forUser(@Nullable String other) {
      return new OfAgent(scope, agent, other);
    }
  }

  private static void check(String part, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new ContextureException(
          ErrorCode.SCOPE_REQUIRED,
          part + " is missing; give tenant, project and user and conversation, or agent",
          Map.of("field", part),
          null);
    }
    if (!isName(value) || value.equals(".") || value.equals("..")) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_SCOPE, part, value, "1 to 128 of A-Z a-z 0-9 . _ @ : + -, not . or ..");
    }
  }

  /** By hand, since every request has several. */
  private static boolean isName(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && "._@:+-".indexOf(c) < 0) {
        return false;
      }
    }
    return value.length() <= MAX_CHARS;
  }
}

package dev.contexture.server.keys;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The rights of a key.
 *
 * @param scope the tenant and the project that it is for; null: any, which only the key of the host
 *     itself has
 * @param role what may be done there
 * @param user the only user whose conversations are reached; null: all
 * @param agent the only agent that is reached; null: all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Grant(
    @Nullable Scope scope, KeyRole role, @Nullable String user, @Nullable String agent) {
  /** Everything everywhere. */
  public static final Grant ALL = new Grant(null, KeyRole.ADMIN, null, null);

  /**
   * @throws ContextureException {@code scope_required} or {@code invalid_scope}
   */
  public Grant {
    Scope form = scope == null ? Scope.of("any", "any") : scope;
    if (user != null) {
      form.user(user); // checks its form
    }
    if (agent != null) {
      form.agent(agent);
    }
  }

  /** In one project. */
  public static Grant of(Scope scope, KeyRole role) {
    return new Grant(scope, role, null, null);
  }

  public Grant withUser(@Nullable String only) {
    return new Grant(scope, role, only, agent);
  }

  public Grant withAgent(@Nullable String only) {
    return new Grant(scope, role, user, only);
  }
}

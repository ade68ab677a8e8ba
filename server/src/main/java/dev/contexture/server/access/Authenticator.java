package dev.contexture.server.access;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.inspector.InspectorRoutes;
import dev.contexture.server.keys.KeyRing;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Decides who calls, before anything of a request is looked at. Thread-safe.
 *
 * <p>With keys everything needs one, also what does not exist, so that nobody learns anything
 * without a key. Without keys the addresses of loopback stand for a key.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Authenticator {
  private static final String BEARER = "bearer ";

  private final @Nullable KeyRing keys;
  private final Set<String> open;

  /**
   * @param keys null: the server has none
   * @param open the paths that need no key
   */
  public Authenticator(@Nullable KeyRing keys, Set<String> open) {
    this.keys = keys;
    this.open = Set.copyOf(open);
  }

  /** Whether a path needs no key. */
  public boolean isOpen(String path) {
    return open.contains(path) || InspectorRoutes.isFile(path);
  }

  /**
   * The headers that say who calls.
   *
   * @param origin the page for which a browser calls
   * @param fetchSite what a browser says about that page
   */
  public record Headers(
      @Nullable String host,
      @Nullable String origin,
      @Nullable String authorization,
      @Nullable String fetchSite,
      @Nullable String contentType) {}

  /**
   * Who calls; empty where nobody has to be known.
   *
   * @throws ContextureException {@code unauthenticated} or {@code key_expired}; without keys {@code
   *     forbidden} or {@code unsupported_type}
   */
  public Optional<Caller> admit(String method, String path, Headers headers) {
    if (keys == null) {
      OriginGuard.check(method, headers);
      return Optional.of(Caller.LOCAL);
    }
    if (isOpen(path)) {
      return Optional.empty();
    }
    String given = headers.authorization();
    if (given == null || !given.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw refused("the request has no key; send Authorization: Bearer KEY");
    }
    return Optional.of(
        keys.find(given.substring(BEARER.length()).strip())
            .map(Caller::of)
            .orElseThrow(() -> refused("the key is not known, or it was revoked")));
  }

  private static ContextureException refused(String message) {
    return new ContextureException(
        ErrorCode.UNAUTHENTICATED, message, Map.of("field", "Authorization"), null);
  }
}

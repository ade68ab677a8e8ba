package dev.contexture.server.http;

import dev.contexture.server.keys.KeyRole;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A route: what is called for which method and path.
 *
 * @param method in capitals
 * @param path with its parameters in braces
 * @param queries the query parameters that it knows; others are refused
 * @param role what a key needs to call it; null: it needs no key
 * @param handler what it does
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Route(
    Method method, String path, Set<String> queries, @Nullable KeyRole role, Handler handler) {
  /** What the paths of a conversation begin with. */
  public static final String CONVERSATION = "/v1/users/{user}/conversations/{conversation}";

  /** What the paths of an agent begin with. */
  public static final String AGENT = "/v1/agents/{agent}";

  /** The methods that routes have. */
  public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE
  }

  /** The work of a route. */
  @FunctionalInterface
  public interface Handler {
    Response handle(Call call);
  }

  public static Route get(String path, Handler handler, String... queries) {
    return new Route(Method.GET, path, Set.of(queries), KeyRole.READER, handler);
  }

  public static Route post(String path, Handler handler, String... queries) {
    return new Route(Method.POST, path, Set.of(queries), KeyRole.WRITER, handler);
  }

  public static Route put(String path, Handler handler) {
    return new Route(Method.PUT, path, Set.of(), KeyRole.WRITER, handler);
  }

  public static Route patch(String path, Handler handler) {
    return new Route(Method.PATCH, path, Set.of(), KeyRole.WRITER, handler);
  }

  public static Route delete(String path, Handler handler, String... queries) {
    return new Route(Method.DELETE, path, Set.of(queries), KeyRole.WRITER, handler);
  }

  /** The same route, for keys of another role than its method says. */
  public Route needing(KeyRole other) {
    return new Route(method, path, queries, other, handler);
  }

  /** The same route, which needs no key. */
  public Route open() {
    return new Route(method, path, queries, null, handler);
  }

  /** Whether HEAD answers with the headers of GET; events and exports have no length. */
  public boolean hasHead() {
    return method == Method.GET
        && !path.endsWith("/events")
        && !path.endsWith("/export")
        && !path.equals("/mcp");
  }

  /** As documents name it, for example {@code GET /healthz}. */
  public String title() {
    return method + " " + path;
  }
}

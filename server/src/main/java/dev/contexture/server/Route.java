package dev.contexture.server;

import dev.contexture.server.keys.KeyRole;
import java.util.Set;
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
record Route(
    Method method, String path, Set<String> queries, @Nullable KeyRole role, Handler handler) {
  /** The methods that routes have. */
  enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE
  }

  /** What a route does. */
  @FunctionalInterface
  interface Handler {
    Response handle(Call call);
  }

  static Route get(String path, Handler handler, String... queries) {
    return new Route(Method.GET, path, Set.of(queries), KeyRole.READER, handler);
  }

  static Route post(String path, Handler handler, String... queries) {
    return new Route(Method.POST, path, Set.of(queries), KeyRole.WRITER, handler);
  }

  static Route put(String path, Handler handler) {
    return new Route(Method.PUT, path, Set.of(), KeyRole.WRITER, handler);
  }

  static Route patch(String path, Handler handler) {
    return new Route(Method.PATCH, path, Set.of(), KeyRole.WRITER, handler);
  }

  static Route delete(String path, Handler handler, String... queries) {
    return new Route(Method.DELETE, path, Set.of(queries), KeyRole.WRITER, handler);
  }

  /** The same route, for keys of another role than its method says. */
  Route needing(KeyRole other) {
    return new Route(method, path, queries, other, handler);
  }

  /** The same route, which needs no key. */
  Route open() {
    return new Route(method, path, queries, null, handler);
  }

  /** Whether HEAD answers with the headers of GET; a stream of events has no length. */
  boolean hasHead() {
    return method == Method.GET && !path.endsWith("/events");
  }

  /** As documents name it, for example {@code GET /healthz}. */
  String title() {
    return method + " " + path;
  }
}

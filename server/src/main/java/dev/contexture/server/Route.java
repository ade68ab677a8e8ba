package dev.contexture.server;

import java.util.Set;

/**
 * A route: what is called for which method and path.
 *
 * @param method in capitals
 * @param path with its parameters in braces
 * @param queries the query parameters that it knows; others are refused
 * @param handler what it does
 */
record Route(Method method, String path, Set<String> queries, Handler handler) {
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
    Answer handle(Call call);
  }

  static Route get(String path, Handler handler, String... queries) {
    return new Route(Method.GET, path, Set.of(queries), handler);
  }

  static Route post(String path, Handler handler) {
    return new Route(Method.POST, path, Set.of(), handler);
  }

  static Route put(String path, Handler handler) {
    return new Route(Method.PUT, path, Set.of(), handler);
  }

  static Route patch(String path, Handler handler) {
    return new Route(Method.PATCH, path, Set.of(), handler);
  }

  static Route delete(String path, Handler handler) {
    return new Route(Method.DELETE, path, Set.of(), handler);
  }

  /** As documents name it, for example {@code GET /healthz}. */
  String title() {
    return method + " " + path;
  }
}

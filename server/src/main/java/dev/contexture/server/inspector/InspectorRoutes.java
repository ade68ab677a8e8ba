package dev.contexture.server.inspector;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The inspector: one page, and the modules, styles and pictures that it loads. They are read from
 * the class path, need no key, and hold no data; what they show they ask the API for. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class InspectorRoutes {
  private static final String FILES = "/inspector/";
  private static final String ICON = "/favicon.ico"; // browsers ask for it beside JSON

  /** What the page may do: load and ask this server only, and make no markup out of texts. */
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types lit-html";

  private static final String LIBRARY = "lit-html.js";
  private static final String LIBRARY_FILE =
      "/META-INF/resources/webjars/lit-html/3.3.2/" + LIBRARY;
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}\\.(js|css|svg)");
  private static final Map<String, String> TYPES =
      Map.of("js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

  private final Map<String, Loaded> loaded = new ConcurrentHashMap<>();

  /** A file and what tells its versions apart. */
  private record Loaded(String text, String tag) {
    static Loaded of(String text) {
      return new Loaded(
          text, '"' + Integer.toHexString(text.hashCode()) + "-" + text.length() + '"');
    }
  }

  /** The page itself. */
  public List<Route> routes() {
    return List.of(Route.get("/", unused -> page()).open());
  }

  /** What the page loads: no part of the API. */
  public List<Route> files() {
    return List.of(
        Route.get(FILES + "{file}", call -> file(call, call.path("file"))).open(),
        Route.get(ICON, call -> file(call, "icon.svg")).open());
  }

  /** Whether a path is one of its files, which need no key. */
  public static boolean isFile(String path) {
    return path.startsWith(FILES) || path.equals(ICON);
  }

  private Response page() {
    return Response.text("text/html; charset=utf-8", load("index.html").text())
        .with("Content-Security-Policy", POLICY)
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "no-store");
  }

  /** A browser asks again with the tag that it knows, so that a new server is a new page. */
  private Response file(Call call, String name) {
    if (!NAME.matcher(name).matches()) {
      throw unknown(name);
    }
    Loaded file = load(name);
    Response answer =
        file.tag().equals(call.http().header("If-None-Match"))
            ? new Response(304, "", "", Map.of())
            : Response.text(type(name), file.text());
    return answer.with("ETag", file.tag()).with("Cache-Control", "no-cache");
  }

  private static String type(String name) {
    String kind = name.substring(name.lastIndexOf('.') + 1);
    return Objects.requireNonNull(TYPES.get(kind)) + "; charset=utf-8";
  }

  private Loaded load(String name) {
    @Nullable Loaded known = loaded.get(name);
    if (known == null) {
      known = read(name).map(Loaded::of).orElseThrow(() -> unknown(name));
      loaded.put(name, known);
    }
    return known;
  }

  private static Optional<String> read(String name) {
    String resource = name.equals(LIBRARY) ? LIBRARY_FILE : name;
    try (InputStream in = InspectorRoutes.class.getResourceAsStream(resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static ContextureException unknown(String name) {
    return ContextureException.invalid(
        ErrorCode.NOT_FOUND, "file", name, "a file of the inspector");
  }
}

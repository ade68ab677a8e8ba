package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Route;
import dev.contexture.server.openapi.OpenApi;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds every answer that a test gets against what {@code /openapi.json} declares: its status, its
 * media type, its body, and the body of a call that was taken. Thread-safe.
 */
final class DeclaredAnswers {
  private final List<Route> routes;
  private final JsonObject document;
  private final JsonSchema schemas;
  private final Set<String> checked = new ConcurrentSkipListSet<>();

  DeclaredAnswers(List<Route> routes) {
    this.routes = routes;
    this.document = new OpenApi(routes).document("test");
    this.schemas = new JsonSchema(document);
  }

  /** The routes of which a JSON answer was held against its schema. */
  Set<String> checked() {
    return checked;
  }

  /** Fails if an answer is not as declared. */
  void check(String method, String path, @Nullable String body, Got got) {
    Route route = route(method, path.replaceFirst("[?#].*", "")).orElse(null);
    if (route == null || got.status() == 304) {
      return; // no route of the API, or a file of the inspector
    }
    String title = method + " " + path + " " + got.status();
    JsonObject operation = operation(route);
    JsonObject responses = operation.object("responses").orElseThrow();
    boolean taken = got.status() < 400;
    JsonObject answer =
        responses
            .object(Integer.toString(got.status()))
            .or(() -> taken ? Optional.empty() : responses.object("default"))
            .orElseThrow(() -> new AssertionError(title + " is not declared"));
    JsonObject content = content(resolved(answer));
    if (content.keys().isEmpty()) {
      assertThat(got.text()).as(title).isEmpty();
      return;
    }
    String media = got.contentType().replaceFirst(";.*", "");
    assertThat(content.keys()).as(title).contains(media);
    if (media.matches("application/(.*\\+)?json")) {
      fits(title, JsonValue.parse(got.text()), content.object(media).orElseThrow());
      if (taken) {
        checked.add(route.title());
      }
    }
    if (taken && body != null && !body.isBlank() && operation.has("requestBody")) {
      JsonObject sent = content(operation.object("requestBody").orElseThrow());
      sent.object("application/json")
          .ifPresent(json -> fits("body of " + title, JsonValue.parse(asRead(body)), json));
    }
  }

  /**
   * A body as the server reads it: half of a character is none in UTF-8, and is replaced if
   * escaped.
   */
  private static String asRead(String body) {
    byte[] sent = body.getBytes(StandardCharsets.UTF_8);
    return SendableText.ofJson(new String(sent, StandardCharsets.UTF_8));
  }

  private void fits(String what, JsonValue value, JsonObject media) {
    List<String> problems = schemas.problems(value, media.object("schema").orElseThrow());
    assertThat(problems).as(what).isEmpty();
  }

  private Optional<Route> route(String method, String path) {
    return routes.stream()
        .filter(route -> route.method().name().equals(method))
        .filter(route -> Pattern.matches(route.path().replaceAll("\\{[a-z]+}", "[^/]+"), path))
        .min(Comparator.comparingInt(route -> route.path().split("\\{", -1).length));
  }

  private JsonObject operation(Route route) {
    return document
        .object("paths")
        .flatMap(paths -> paths.object(route.path()))
        .flatMap(path -> path.object(route.method().name().toLowerCase(Locale.ROOT)))
        .orElseThrow(() -> new AssertionError(route.title()));
  }

  private JsonObject resolved(JsonObject answer) {
    return answer
        .string("$ref")
        .map(reference -> reference.substring(reference.lastIndexOf('/') + 1))
        .flatMap(
            name ->
                document
                    .object("components")
                    .flatMap(all -> all.object("responses"))
                    .flatMap(all -> all.object(name)))
        .orElse(answer);
  }

  private static JsonObject content(JsonObject of) {
    return of.object("content").orElse(JsonObject.EMPTY);
  }
}

package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code /openapi.json} says what the routes do, and the pages show it. */
class OpenApiTest {
  private static final Set<Route.Method> WITH_BODY =
      Set.of(Route.Method.POST, Route.Method.PUT, Route.Method.PATCH);

  @TempDir Path directory;
  private TestServer served;
  private JsonObject document;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
    document = served.get("/openapi.json").json();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private JsonObject operation(Route route) {
    return document
        .object("paths")
        .flatMap(paths -> paths.object(route.path()))
        .flatMap(path -> path.object(route.method().name().toLowerCase(Locale.ROOT)))
        .orElseThrow(() -> new AssertionError(route.title()));
  }

  @Test
  void hasEveryRouteAndNoOther() {
    Set<String> there = new TreeSet<>();
    served.server().routes().forEach(route -> there.add(route.title()));
    Set<String> described = new TreeSet<>();
    document
        .object("paths")
        .orElseThrow()
        .members()
        .forEach(
            (path, methods) ->
                ((JsonObject) methods)
                    .keys()
                    .forEach(
                        method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
    assertThat(described).isEqualTo(there);
    assertThat(RouteDocs.read().keySet()).containsExactlyInAnyOrderElementsOf(there);
  }

  /** The fields are those that the route itself says it takes. */
  @Test
  void hasTheFieldsThatBodiesHave() {
    for (Route route : served.server().routes()) {
      if (!WITH_BODY.contains(route.method())) {
        continue;
      }
      String path = ServerRoutesTest.filled(route.path());
      Got refused = served.send(route.method().name(), path, "{\"frobnicate\":1}");
      assertThat(refused.code()).as(route.title()).isEqualTo("unknown_field");
      Set<String> described = new TreeSet<>();
      operation(route)
          .object("requestBody")
          .flatMap(body -> body.object("content"))
          .flatMap(content -> content.object("application/json"))
          .flatMap(json -> json.object("schema"))
          .flatMap(schema -> schema.object("properties"))
          .ifPresent(properties -> described.addAll(properties.keys()));
      assertThat(String.join(", ", described))
          .as(route.title())
          .isEqualTo(refused.string("allowed"));
    }
  }

  @Test
  void hasParametersProblemsAndRoles() {
    for (Route route : served.server().routes()) {
      JsonObject operation = operation(route);
      Set<String> names = new TreeSet<>();
      for (JsonValue parameter : operation.array("parameters").orElseThrow().items()) {
        names.add(((JsonObject) parameter).string("name").orElseThrow());
      }
      assertThat(names).as(route.title()).containsAll(route.queries());
      java.util.regex.Matcher named =
          java.util.regex.Pattern.compile("\\{([a-z]+)}").matcher(route.path());
      while (named.find()) {
        assertThat(names).as(route.title()).contains(named.group(1));
      }
      Set<String> statuses = operation.object("responses").orElseThrow().keys();
      assertThat(statuses).as(route.title()).contains("default");
      if (route.role() != null) {
        assertThat(statuses).as(route.title()).contains("400", "401", "403", "503");
        assertThat(operation.string("x-role")).contains(route.role().wireName());
      } else {
        assertThat(operation.array("security").orElseThrow().items()).isEmpty();
      }
    }
  }

  @Test
  void hasNoReferenceIntoNothing() {
    assertThat(references(document)).isNotEmpty();
    for (String reference : references(document)) {
      JsonValue at = document;
      for (String step : reference.substring(2).split("/", -1)) {
        at = ((JsonObject) at).find(step).orElseThrow(() -> new AssertionError(reference));
      }
    }
  }

  private static Set<String> references(JsonValue value) {
    Set<String> found = new TreeSet<>();
    if (value instanceof JsonObject object) {
      object
          .members()
          .forEach(
              (name, inner) -> {
                if (name.equals("$ref") && inner instanceof JsonString text) {
                  found.add(text.value());
                }
                found.addAll(references(inner));
              });
    } else if (value instanceof JsonArray array) {
      array.items().forEach(item -> found.addAll(references(item)));
    }
    return found;
  }

  @Test
  void pagesLoadNothingAndEscapeWhatTheyShow() {
    for (String path : List.of("/api")) {
      Got page = served.get(path);
      assertThat(page.contentType()).startsWith("text/html;").endsWith("charset=utf-8");
      assertThat(page.raw().headers().firstValue("Content-Security-Policy").orElse(""))
          .contains("default-src 'none'", "frame-ancestors 'none'");
      assertThat(page.text()).doesNotContain("http://", "https://", "<script", "src=");
    }
    for (Route route : served.server().routes()) {
      assertThat(served.get("/api").text()).contains("<code>" + route.title() + "</code>");
    }
    String evil = "<script>alert('1')</script>\"&";
    try (TestServer other =
        new TestServer(
            directory.resolve("b"), ServerOptions.local(evil).withStore(evil).withData(evil))) {
      assertThat(other.get("/").text()).doesNotContain("alert(");
      assertThat(other.get("/openapi.json").json().object("info").orElseThrow().string("version"))
          .contains(evil);
    }
  }
}

package dev.contexture.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.foreign.ForeignFormat;
import dev.contexture.request.history.HistoryFormat;
import dev.contexture.server.JsonSchema;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.ServerRoutesTest;
import dev.contexture.server.TestServer;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** The schema that a reference names. */
  private JsonObject resolved(JsonObject schema) {
    String name = schema.string("$ref").orElseThrow().replaceFirst(".*/", "");
    return document
        .object("components")
        .flatMap(all -> all.object("schemas"))
        .flatMap(all -> all.object(name))
        .orElseThrow();
  }

  /**
   * What clients are generated from is what is served. {@code -Dcontexture.openapi=write} writes
   * the file anew.
   */
  @Test
  void isTheOneOfTheRepository() throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    Path file = root.resolve("docs/openapi.json");
    JsonObject info = document.object("info").orElseThrow();
    JsonObject released = document.with("info", info.with("version", JsonValue.of(version(root))));
    if ("write".equals(System.getProperty("contexture.openapi"))) {
      Files.writeString(file, indented(released));
    }
    assertThat(Files.readString(file))
        .as("docs/openapi.json; -Dcontexture.openapi=write writes it anew")
        .isEqualTo(indented(released));
  }

  private static String indented(JsonObject document) {
    return document.toPrettyJson() + "\n";
  }

  /** The version of the build. */
  private static String version(Path root) throws IOException {
    java.util.regex.Matcher version =
        java.util.regex.Pattern.compile("<version>(.*)</version>")
            .matcher(Files.readString(root.resolve("pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  @Test
  void hasTheProvidersThatThereAre() {
    assertThat(TypeSchema.words("@provider")).isEqualTo(BuiltInProviders.names());
    List<String> formats = new ArrayList<>(ForeignFormat.names());
    formats.add(HistoryFormat.AUTO);
    assertThat(TypeSchema.words("@history_format")).isEqualTo(formats);
  }

  /** Programs name what they generate after these. */
  @Test
  void namesEveryOperationAndEveryTypeOnce() {
    List<String> operations = RouteDocs.read().values().stream().map(RouteDocs::operation).toList();
    assertThat(operations).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z][A-Za-z]+"));
    assertThat(SchemaDocs.read()).extracting(SchemaDocs::name).doesNotHaveDuplicates();
    Set<String> named =
        document.object("components").flatMap(all -> all.object("schemas")).orElseThrow().keys();
    Set<String> used = new TreeSet<>();
    references(document).forEach(reference -> used.add(reference.replaceFirst(".*/", "")));
    assertThat(used).containsAll(named);
  }

  /** Every answer without a refusal has a type, and an example that fits it. */
  @Test
  void hasTypedAnswersWithExamples() {
    JsonSchema schemas = new JsonSchema(document);
    JsonObject examples = OpenApi.examples();
    Set<String> missing = new TreeSet<>();
    Set<String> operations = new TreeSet<>();
    for (RouteDocs docs : RouteDocs.read().values()) {
      JsonObject example = examples.object(docs.operation()).orElse(JsonObject.EMPTY);
      operations.add(docs.operation());
      example
          .find("body")
          .ifPresent(
              body ->
                  assertThat(
                          schemas.problems(
                              body, TypeSchema.reference(ApiComponents.bodyName(docs))))
                      .as(docs.operation())
                      .isEmpty());
      if (!docs.fields().isEmpty() && !example.has("body")) {
        missing.add(docs.operation() + " body");
      }
      for (RouteDocs.Answer answer : docs.answers()) {
        String status = Integer.toString(answer.status());
        JsonObject shown =
            example.object("answers").flatMap(all -> all.object(status)).orElse(null);
        if (shown != null && !answer.type().isEmpty()) {
          assertThat(schemas.problems(shown, TypeSchema.of(answer.type())))
              .as(docs.operation() + " " + status)
              .isEmpty();
        } else if (answer.status() < 202 && Character.isUpperCase(first(answer.type()))) {
          missing.add(docs.operation() + " " + status);
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(operations).containsAll(examples.keys());
  }

  /** Answers that are no JSON are shown, too; data of events is of the type that is declared. */
  @Test
  void showsStreamsAndFiles() {
    JsonSchema schemas = new JsonSchema(document);
    int events = 0;
    for (Route route : served.routes()) {
      JsonObject content =
          operation(route)
              .object("responses")
              .flatMap(all -> all.object("200"))
              .flatMap(answer -> answer.object("content"))
              .orElse(JsonObject.EMPTY);
      for (String media : content.keys()) {
        JsonObject described = content.object(media).orElseThrow();
        if (!media.equals("application/json") && !media.equals("text/html") && isOurs(route)) {
          String shown = described.string("example").orElse("");
          assertThat(shown).as(route.title() + " " + media).isNotEmpty();
          if (media.equals("text/event-stream")) {
            JsonObject type =
                described
                    .object("schema")
                    .flatMap(each -> each.object("contentSchema"))
                    .orElseThrow();
            assertThat(schemas.problems(data(shown), type)).as(route.title()).isEmpty();
            events++;
          }
        }
      }
    }
    assertThat(events).isEqualTo(3);
  }

  private static boolean isOurs(Route route) {
    return !route.path().equals("/mcp");
  }

  private static JsonValue data(String event) {
    return JsonValue.parse(
        event
            .lines()
            .filter(line -> line.startsWith("data: "))
            .findFirst()
            .orElseThrow()
            .substring("data: ".length()));
  }

  /** Events as they come are of the type that is declared. */
  @Test
  void declaresTheEventsOfAConversation() throws Exception {
    String chat = "/v1/users/u1/conversations/c1";
    served.send("POST", chat + "/turns", "{\"prompt\":\"hi\",\"turn_id\":\"t1\"}");
    served.send("POST", chat + "/turns/t1/finish", "{\"completion\":\"ho\"}");
    JsonSchema schemas = new JsonSchema(document);
    java.net.http.HttpRequest request =
        java.net.http.HttpRequest.newBuilder(
                java.net.URI.create(served.server().address() + chat + "/events?after=0"))
            .build();
    try (java.net.http.HttpClient client = java.net.http.HttpClient.newHttpClient();
        java.util.stream.Stream<String> lines =
            client.send(request, java.net.http.HttpResponse.BodyHandlers.ofLines()).body()) {
      List<String> told = lines.filter(line -> line.startsWith("data: ")).limit(4).toList();
      assertThat(told)
          .allSatisfy(
              line ->
                  assertThat(
                          schemas.problems(data(line), TypeSchema.reference("ConversationEvent")))
                      .as(line)
                      .isEmpty());
    }
  }

  private static char first(String type) {
    return type.isEmpty() ? ' ' : type.charAt(0);
  }

  @Test
  void hasEveryRouteAndNoOther() {
    Set<String> there = new TreeSet<>();
    served.routes().forEach(route -> there.add(route.title()));
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
    for (Route route : served.routes()) {
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
          .map(this::resolved)
          .flatMap(schema -> schema.object("properties"))
          .ifPresent(properties -> described.addAll(properties.keys()));
      assertThat(String.join(", ", described))
          .as(route.title())
          .isEqualTo(refused.string("allowed"));
    }
  }

  @Test
  void hasParametersProblemsAndRoles() {
    for (Route route : served.routes()) {
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
      assertThat(page.text()).doesNotContain("=\"http", "<script", "src=", "<link");
    }
    String api = served.get("/api").text();
    String whole = api.replace("<wbr>", ""); // paths may be broken at their slashes
    for (Route route : served.routes()) {
      assertThat(whole).contains("<code>" + route.title() + "</code>");
    }
    for (RouteDocs docs : RouteDocs.read().values()) {
      assertThat(api).contains("<article id=\"" + docs.operation() + "\">");
    }
    Matcher links = Pattern.compile("href=\"#([^\"]+)\"").matcher(api);
    while (links.find()) {
      assertThat(api).contains("id=\"" + links.group(1) + "\"");
    }
    assertThat(api).contains("Example");
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

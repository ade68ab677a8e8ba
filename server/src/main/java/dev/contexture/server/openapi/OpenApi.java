package dev.contexture.server.openapi;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Describes the routes: for machines (OpenAPI 3.1) and as a page. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenApi {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z]+)}");
  private static final String EXAMPLES = "examples.json";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";
  private static final List<String> EXPORTS = List.of("application/x-ndjson", "text/markdown");
  private static final String MCP = "/mcp";
  private static final String ABOUT =
      "A context engine for LLM agents. docs/http.md says what the routes do, docs/clients.md has"
          + " clients for Python and TypeScript. x-role is the role that a key needs. x-repeat says"
          + " whether a call may be sent again after a lost answer: with `id` if the body has it,"
          + " and with `made` a client may make that id up. contentSchema of a stream is the type"
          + " of the data of each event.";

  /** What the data of the events of a stream is. */
  private static final Map<String, String> EVENT_DATA =
      Map.of(
          "followConversation", "ConversationEvent",
          "followProject", "ProjectChange",
          "followMemory", "MemoryChange");

  /** The type of query parameters that are no plain text. */
  private static final Map<String, String> QUERY_TYPES =
      Map.ofEntries(
          Map.entry("limit", "integer"),
          Map.entry("days", "integer"),
          Map.entry("from_seq", "integer"),
          Map.entry("at", "integer"),
          Map.entry("after", "integer"),
          Map.entry("visible", "boolean"),
          Map.entry("tokens", "boolean"),
          Map.entry("deleted", "boolean"),
          Map.entry("purge", "boolean"),
          Map.entry("type", "@block_type"),
          Map.entry("content", "@search_content"),
          Map.entry("diff", "previous/"),
          Map.entry("format", "archive/markdown"),
          Map.entry("max_result", "integer"),
          Map.entry("mode", "@search_mode"),
          Map.entry("provider", "@provider"),
          Map.entry("include_descriptions", "boolean"),
          Map.entry("include_schemas", "boolean"));

  private static final Map<String, String> HEADERS =
      Map.of(
          "X-Tenant", "The tenant, if the key does not say it; local without keys",
          "X-Project", "The project, if the key does not say it; local without keys",
          "X-Actor", "Who acts: agent:ID, human:ID or system; else the agent of the path",
          "X-Confirm", "The name of the project that is to be erased",
          "Last-Event-ID", "The id of the last event that was read",
          "Mcp-Session-Id", "The session, as the answer to initialize names it",
          "MCP-Protocol-Version", "The version of the protocol that the session has");

  private static final Set<String> SUMMARISING = Set.of("/render", "/request", "/step", "/compact");

  private final List<Route> routes;
  private final Map<String, RouteDocs> docs = RouteDocs.read();

  public OpenApi(List<Route> routes) {
    this.routes = List.copyOf(routes);
  }

  /** The document of OpenAPI. */
  public JsonObject document(String version) {
    JsonObject examples = examples();
    Map<String, JsonObject.Builder> paths = new LinkedHashMap<>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(route.path(), path -> JsonObject.builder())
          .put(route.method().name().toLowerCase(Locale.ROOT), operation(route, examples));
    }
    JsonObject.Builder all = JsonObject.builder();
    paths.forEach((path, operations) -> all.put(path, operations.build()));
    return JsonObject.builder()
        .put("openapi", "3.1.0")
        .put("info", info(version))
        .put("servers", servers())
        .put("tags", ApiComponents.tags())
        .put("paths", all.build())
        .put("components", components())
        .build();
  }

  private JsonObject components() {
    Set<Integer> refusals = new TreeSet<>();
    routes.forEach(route -> refusals.addAll(refusals(route)));
    return ApiComponents.of(routes.stream().map(this::docs).toList(), refusals);
  }

  private static JsonObject info(String version) {
    return JsonObject.builder()
        .put("title", "Contexture")
        .put("version", version)
        .put("description", ABOUT)
        .put(
            "license",
            JsonObject.builder().put("name", "Apache 2.0").put("identifier", "Apache-2.0").build())
        .build();
  }

  private static JsonArray servers() {
    JsonObject here =
        JsonObject.builder()
            .put("url", "/")
            .put("description", "The server that gives this document")
            .build();
    JsonObject usual =
        JsonObject.builder()
            .put("url", "http://127.0.0.1:8321")
            .put("description", "Where ./contexture serve listens unless it is told otherwise")
            .build();
    return new JsonArray(List.of(here, usual));
  }

  /** Bodies and answers by operation. */
  static JsonObject examples() {
    try (InputStream in = Objects.requireNonNull(OpenApi.class.getResourceAsStream(EXAMPLES))) {
      return (JsonObject) JsonValue.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private RouteDocs docs(Route route) {
    return Objects.requireNonNull(docs.get(route.title()), route.title());
  }

  private JsonObject operation(Route route, JsonObject examples) {
    RouteDocs about = docs(route);
    JsonObject example = examples.object(about.operation()).orElse(JsonObject.EMPTY);
    JsonObject.Builder operation =
        JsonObject.builder()
            .put("operationId", about.operation())
            .put("summary", about.summary())
            .put("tags", JsonArray.ofStrings(List.of(ApiComponents.tag(route.path()))))
            .put("parameters", new JsonArray(parameters(route)));
    if (!about.fields().isEmpty()) {
      operation.put("requestBody", body(about, example));
    }
    operation.put("responses", responses(route, about, example));
    KeyRole role = route.role();
    operation.put(
        "security",
        role == null
            ? new JsonArray(List.of())
            : new JsonArray(List.of(JsonObject.of("key", JsonArray.ofStrings(List.of())))));
    if (role != null) {
      operation.put("x-role", role.wireName());
    }
    return operation.put("x-repeat", repeat(about.repeat())).build();
  }

  private static JsonObject repeat(RouteDocs.Repeat repeat) {
    JsonObject.Builder form = JsonObject.builder().put("safe", repeat.safe());
    if (!repeat.id().isEmpty()) {
      form.put("id", repeat.id()).put("made", repeat.made());
    }
    return form.build();
  }

  private static List<JsonValue> parameters(Route route) {
    List<JsonValue> parameters = new ArrayList<>();
    Matcher named = PARAMETER.matcher(route.path());
    while (named.find()) {
      parameters.add(parameter(named.group(1), "path", "string"));
    }
    route.queries().stream()
        .sorted()
        .forEach(
            name ->
                parameters.add(parameter(name, "query", QUERY_TYPES.getOrDefault(name, "string"))));
    headers(route).forEach(name -> parameters.add(header(name)));
    return parameters;
  }

  private static List<String> headers(Route route) {
    List<String> names = new ArrayList<>();
    if (route.role() != null) {
      names.addAll(List.of("X-Tenant", "X-Project"));
    }
    if (route.path().startsWith(Route.AGENT)) {
      names.add("X-Actor");
    }
    if (route.title().equals("DELETE /v1/project")) {
      names.add("X-Confirm");
    }
    if (route.path().equals(MCP)) {
      names.addAll(List.of("Mcp-Session-Id", "MCP-Protocol-Version"));
    }
    if (route.queries().contains("after") && !route.hasHead()) {
      names.add("Last-Event-ID");
    }
    return names;
  }

  private static JsonObject parameter(String name, String in, String type) {
    return JsonObject.builder()
        .put("name", name)
        .put("in", in)
        .put("required", in.equals("path"))
        .put("schema", TypeSchema.of(type))
        .build();
  }

  private static JsonObject header(String name) {
    return parameter(name, "header", "string")
        .with("description", JsonValue.of(Objects.requireNonNull(HEADERS.get(name))));
  }

  private static JsonObject body(RouteDocs about, JsonObject example) {
    JsonObject json = JsonObject.of("schema", TypeSchema.reference(ApiComponents.bodyName(about)));
    JsonValue shown = example.find("body").orElse(null);
    JsonObject content = JsonObject.of(JSON, shown == null ? json : json.with("example", shown));
    if (!about.streamed().isEmpty()) {
      JsonObject text = JsonObject.of("schema", TypeSchema.simple("string"));
      content = content.with(about.streamed(), text);
    }
    return JsonObject.builder()
        .put("required", about.fields().stream().anyMatch(RouteDocs.Field::required))
        .put("content", content)
        .build();
  }

  private static JsonObject responses(Route route, RouteDocs about, JsonObject example) {
    JsonObject.Builder responses = JsonObject.builder();
    JsonObject shown = example.object("answers").orElse(JsonObject.EMPTY);
    for (RouteDocs.Answer answer : about.answers()) {
      if (answer.status() < 400) {
        String status = Integer.toString(answer.status());
        responses.put(status, answer(route, about, answer, shown.find(status).orElse(null)));
      }
    }
    for (int status : refusals(route)) {
      responses.put(Integer.toString(status), ApiComponents.refusal(Integer.toString(status)));
    }
    return responses.put("default", ApiComponents.refusal("")).build();
  }

  private static JsonObject answer(
      Route route, RouteDocs about, RouteDocs.Answer answer, @Nullable JsonValue example) {
    JsonObject.Builder response = JsonObject.builder().put("description", about.summary());
    List<String> mediaTypes = answer.type().isEmpty() ? mediaTypes(route) : List.of(JSON);
    String type = answer.type().isEmpty() ? "string" : answer.type();
    String event = EVENT_DATA.get(about.operation());
    JsonObject schema = event == null ? TypeSchema.of(type) : eventData(event);
    JsonObject media = JsonObject.of("schema", schema);
    JsonObject.Builder content = JsonObject.builder();
    for (String name : mediaTypes) {
      JsonValue shown = shown(example, name, mediaTypes.size() > 1);
      content.put(name, shown == null ? media : media.with("example", shown));
    }
    if (!mediaTypes.isEmpty()) {
      response.put("content", content.build());
    }
    return response.build();
  }

  /** A stream of events with data of a type. */
  private static JsonObject eventData(String type) {
    return TypeSchema.simple("string")
        .with("contentMediaType", JsonValue.of(JSON))
        .with("contentSchema", TypeSchema.reference(type));
  }

  /** The example of a media type, where an answer has one for each of several. */
  private static @Nullable JsonValue shown(
      @Nullable JsonValue example, String mediaType, boolean several) {
    return several && example instanceof JsonObject each
        ? each.find(mediaType).orElse(null)
        : example;
  }

  /** What a route may refuse with; all of them may also fail. */
  private static List<Integer> refusals(Route route) {
    List<Integer> refusals = new ArrayList<>(List.of(400));
    if (route.role() != null) {
      refusals.addAll(List.of(401, 403));
      refusals.addAll(route.path().contains("{") ? List.of(404) : List.of());
      refusals.addAll(
          route.method() == Route.Method.GET ? List.of(422) : List.of(409, 413, 415, 422));
      refusals.addAll(route.path().endsWith("/ops") ? List.of(410) : List.of());
      refusals.addAll(List.of(429, 500, 503));
      refusals.addAll(
          SUMMARISING.stream().anyMatch(route.path()::endsWith) ? List.of(502) : List.of());
    } else if (route.path().equals("/readyz")) {
      refusals.add(503);
    }
    return refusals;
  }

  /** Those of answers that are no JSON; none: there is no body. */
  private static List<String> mediaTypes(Route route) {
    return switch (route.path()) {
      case "/", "/api" -> List.of("text/html");
      case "/metrics" -> List.of("text/plain");
      default -> {
        boolean streams = route.method() == Route.Method.GET && !route.hasHead();
        boolean exports = route.path().endsWith("/export");
        yield !streams ? List.of() : exports ? EXPORTS : List.of(EVENTS);
      }
    };
  }

  /** The page for people. */
  public String page() {
    return ApiPage.of(routes, docs);
  }
}

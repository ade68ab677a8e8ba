package dev.contexture.server;

import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.Choices;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.SearchContent;
import dev.contexture.search.SearchMode;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.token.TokenCounter;
import dev.contexture.view.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes the routes: for machines (OpenAPI 3.1) and as a page. */
final class OpenApi {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z]+)}");

  /** Query parameters that are not texts. */
  private static final Map<String, String> QUERY_TYPES =
      Map.of(
          "limit", "integer",
          "from_seq", "integer",
          "at", "integer",
          "after", "integer",
          "visible", "boolean",
          "include_descriptions", "boolean",
          "include_schemas", "boolean");

  private final List<Route> routes;
  private final Map<String, RouteDocs> docs = RouteDocs.read();

  OpenApi(List<Route> routes) {
    this.routes = List.copyOf(routes);
  }

  /** The document of OpenAPI. */
  JsonObject document(String version) {
    Map<String, JsonObject.Builder> paths = new LinkedHashMap<>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(route.path(), path -> JsonObject.builder())
          .put(route.method().name().toLowerCase(java.util.Locale.ROOT), operation(route));
    }
    JsonObject.Builder all = JsonObject.builder();
    paths.forEach((path, operations) -> all.put(path, operations.build()));
    return JsonObject.builder()
        .put("openapi", "3.1.0")
        .put(
            "info",
            JsonObject.builder()
                .put("title", "Contexture")
                .put("version", version)
                .put("description", "A context engine for LLM agents; see docs/http.md.")
                .build())
        .put("paths", all.build())
        .put("components", components())
        .build();
  }

  private RouteDocs docs(Route route) {
    return Objects.requireNonNull(docs.get(route.title()), route.title());
  }

  private JsonObject operation(Route route) {
    RouteDocs about = docs(route);
    JsonObject.Builder operation =
        JsonObject.builder()
            .put("summary", about.summary())
            .put("parameters", new JsonArray(parameters(route)));
    if (!about.fields().isEmpty()) {
      operation.put("requestBody", body(about));
    }
    operation.put("responses", responses(route, about));
    KeyRole role = route.role();
    operation.put(
        "security",
        role == null
            ? new JsonArray(List.of())
            : new JsonArray(List.of(JsonObject.of("key", JsonArray.ofStrings(List.of())))));
    if (role != null) {
      operation.put("x-role", role.wireName());
    }
    return operation.build();
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
    if (route.role() != null) {
      parameters.add(parameter("X-Tenant", "header", "string"));
      parameters.add(parameter("X-Project", "header", "string"));
    }
    if (route.path().startsWith(ContextureServer.AGENT)) {
      parameters.add(parameter("X-Actor", "header", "string"));
    }
    return parameters;
  }

  private static JsonObject parameter(String name, String in, String type) {
    return JsonObject.builder()
        .put("name", name)
        .put("in", in)
        .put("required", in.equals("path"))
        .put("schema", schema(type))
        .build();
  }

  private static JsonObject body(RouteDocs about) {
    JsonObject.Builder properties = JsonObject.builder();
    List<String> required = new ArrayList<>();
    for (RouteDocs.Field field : about.fields()) {
      properties.put(field.name(), schema(field.type()));
      if (field.required()) {
        required.add(field.name());
      }
    }
    JsonObject.Builder schema =
        JsonObject.builder()
            .put("type", "object")
            .put("properties", properties.build())
            .put("additionalProperties", false);
    if (!required.isEmpty()) {
      schema.put("required", JsonArray.ofStrings(required));
    }
    return JsonObject.builder()
        .put("required", !required.isEmpty())
        .put("content", content("application/json", schema.build()))
        .build();
  }

  private static JsonObject content(String mediaType, JsonObject schema) {
    return JsonObject.of(mediaType, JsonObject.of("schema", schema));
  }

  private static JsonObject schema(String type) {
    if (type.startsWith("[")) {
      return JsonObject.builder()
          .put("type", "array")
          .put("items", schema(type.substring(1, type.length() - 1)))
          .build();
    }
    if (type.equals("any")) {
      return JsonObject.EMPTY;
    }
    List<String> words = words(type);
    if (!words.isEmpty()) {
      return JsonObject.builder()
          .put("type", "string")
          .put("enum", JsonArray.ofStrings(words))
          .build();
    }
    return Character.isUpperCase(type.charAt(0))
        ? reference(type)
        : JsonObject.of("type", JsonValue.of(type));
  }

  /** The words that a type allows: {@code a/b}, or the name of an enumeration behind an @. */
  static List<String> words(String type) {
    return switch (type) {
      case "@block_type" -> Choices.of(MemoryBlockType.values());
      case "@dialect" -> Choices.of(Dialect.values());
      case "@permission" -> Choices.of(MemoryPermission.values());
      case "@policy" -> CompactionPolicy.names();
      case "@search_content" -> Choices.of(SearchContent.values());
      case "@search_mode" -> Choices.of(SearchMode.values());
      case "@tokenizer" -> TokenCounter.names();
      default -> type.indexOf('/') > 0 ? List.of(type.split("/", -1)) : List.of();
    };
  }

  private static JsonObject reference(String name) {
    return JsonObject.of("$ref", JsonValue.of("#/components/schemas/" + name));
  }

  private static JsonObject responses(Route route, RouteDocs about) {
    JsonObject.Builder responses = JsonObject.builder();
    for (int status : about.statuses()) {
      JsonObject.Builder answer = JsonObject.builder().put("description", about.summary());
      if (status != 204) {
        answer.put("content", content(mediaType(route), JsonObject.EMPTY));
      }
      responses.put(Integer.toString(status), answer.build());
    }
    JsonObject problem = JsonObject.of("$ref", JsonValue.of("#/components/responses/Problem"));
    List<Integer> refusals = new ArrayList<>();
    if (route.role() != null) {
      refusals.addAll(List.of(400, 401, 403));
      refusals.addAll(route.path().contains("{") ? List.of(404) : List.of());
      refusals.addAll(route.method() == Route.Method.GET ? List.of() : List.of(409, 413, 422));
      refusals.addAll(List.of(429, 500, 503));
    }
    refusals.forEach(status -> responses.put(Integer.toString(status), problem));
    return responses.put("default", problem).build();
  }

  private static String mediaType(Route route) {
    return switch (route.path()) {
      case "/", "/api" -> "text/html";
      case "/metrics" -> "text/plain";
      default -> route.path().endsWith("/events") ? "text/event-stream" : "application/json";
    };
  }

  private static JsonObject components() {
    JsonObject problem =
        JsonObject.builder()
            .put("type", "object")
            .put(
                "required",
                JsonArray.ofStrings(List.of("type", "title", "status", "code", "detail")))
            .put(
                "properties",
                JsonObject.builder()
                    .put("type", schema("string"))
                    .put("title", schema("string"))
                    .put("status", schema("integer"))
                    .put("code", schema("string"))
                    .put("detail", schema("string"))
                    .put("field", schema("string"))
                    .put("limit", schema("integer"))
                    .put("actual", JsonObject.EMPTY)
                    .build())
            .build();
    JsonObject answer =
        JsonObject.builder()
            .put("description", "It was refused, and nothing was changed")
            .put("content", content(Problem.MEDIA_TYPE, reference("Problem")))
            .build();
    JsonObject key = JsonObject.builder().put("type", "http").put("scheme", "bearer").build();
    return JsonObject.builder()
        .put("securitySchemes", JsonObject.of("key", key))
        .put("responses", JsonObject.of("Problem", answer))
        .put(
            "schemas",
            JsonObject.builder()
                .put("Problem", problem)
                .put("Block", schema("object"))
                .put("Rule", named("type"))
                .put("Op", named("op"))
                .build())
        .build();
  }

  /** An object of which only one member is always there. */
  private static JsonObject named(String member) {
    return schema("object")
        .with("required", JsonArray.ofStrings(List.of(member)))
        .with("properties", JsonObject.of(member, schema("string")));
  }

  /** The page for people. */
  String page() {
    StringBuilder page = new StringBuilder(Html.head("Contexture: the API"));
    page.append("<h1>The API</h1>\n<p>For machines: <a href=\"/openapi.json\">openapi.json</a>. ")
        .append("Every refusal is <code>application/problem+json</code>.</p>\n<table>\n")
        .append(
            "<tr><th>route</th><th>what it does</th><th>body or query</th><th>role</th></tr>\n");
    for (Route route : routes) {
      RouteDocs about = docs(route);
      row(page, route, about);
    }
    return page.append("</table>\n").append(Html.end()).toString();
  }

  private static void row(StringBuilder page, Route route, RouteDocs about) {
    List<String> taken = new ArrayList<>();
    about.fields().forEach(field -> taken.add(field.name() + (field.required() ? "" : "?")));
    route.queries().stream().sorted().forEach(name -> taken.add("?" + name));
    KeyRole role = route.role();
    page.append("<tr><td><code>")
        .append(Html.escape(route.title()))
        .append("</code></td><td>")
        .append(Html.escape(about.summary()))
        .append("</td><td><code>")
        .append(Html.escape(String.join(", ", taken)))
        .append("</code></td><td>")
        .append(role == null ? "none" : role.wireName())
        .append("</td></tr>\n");
  }
}

package dev.contexture.server.openapi;

import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.Problem;
import dev.contexture.server.http.Route;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The components that operations of the document share: named types, refusals, tags, and how keys
 * are sent.
 */
final class ApiComponents {
  private static final String REFUSED = "Problem";

  /** Tags with what they are about, in the order in which a path is looked up. */
  private static final Map<String, String> TAGS = new LinkedHashMap<>();

  static {
    TAGS.put("conversations", "Conversations: turns, blocks, requests to models and their answers");
    TAGS.put("memory", "Agents, and what they remember");
    TAGS.put("search", "Finding things again");
    TAGS.put("models", "What is known of models and bodies");
    TAGS.put("events", "Streams of what happens");
    TAGS.put("project", "The project as a whole");
    TAGS.put("server", "The server itself");
  }

  private ApiComponents() {}

  /** What each tag is about, in the order in which people read them. */
  static Map<String, String> tagged() {
    return Collections.unmodifiableMap(TAGS);
  }

  static JsonArray tags() {
    return new JsonArray(
        TAGS.entrySet().stream()
            .<JsonValue>map(
                tag ->
                    JsonObject.builder()
                        .put("name", tag.getKey())
                        .put("description", tag.getValue())
                        .build())
            .toList());
  }

  /** The tag of a path. */
  static String tag(String path) {
    if (path.endsWith("/events")) {
      return "events";
    }
    if (path.endsWith("/search") || path.endsWith("/reindex")) {
      return "search";
    }
    if (path.startsWith(Route.CONVERSATION) || path.endsWith("/conversations")) {
      return "conversations";
    }
    if (path.startsWith("/v1/agents")) {
      return "memory";
    }
    boolean models =
        Stream.of("validate", "simulate", "models", "choices").anyMatch(path::endsWith);
    return models ? "models" : path.startsWith("/v1/") ? "project" : "server";
  }

  /** The components, with the bodies of these operations and the refusals of these statuses. */
  static JsonObject of(List<RouteDocs> operations, Set<Integer> statuses) {
    JsonObject.Builder schemas = JsonObject.builder();
    SchemaDocs.read().forEach(docs -> schemas.put(docs.name(), docs.schema()));
    operations.stream()
        .filter(docs -> !docs.fields().isEmpty())
        .forEach(docs -> schemas.put(bodyName(docs), body(docs)));
    JsonObject key =
        TypeSchema.simple("http")
            .with("scheme", JsonValue.of("bearer"))
            .with("description", JsonValue.of("A key of contexture keys add, if there are keys"));
    return JsonObject.builder()
        .put("securitySchemes", JsonObject.of("key", key))
        .put("responses", refusals(statuses))
        .put("schemas", schemas.build())
        .build();
  }

  private static JsonObject body(RouteDocs docs) {
    return JsonObject.builder()
        .put("description", "The body of " + docs.operation())
        .putAll(TypeSchema.object(docs.fields()))
        .put("additionalProperties", false)
        .build();
  }

  /** The name of the type of a body, for example {@code StartTurnBody}. */
  static String bodyName(RouteDocs docs) {
    String operation = docs.operation();
    return operation.substring(0, 1).toUpperCase(Locale.ROOT) + operation.substring(1) + "Body";
  }

  /** The refusal of a status; empty: of any. */
  static JsonObject refusal(String status) {
    return JsonObject.of("$ref", JsonValue.of("#/components/responses/" + REFUSED + status));
  }

  /** Problems of any kind, and by status with the codes that there are. */
  private static JsonObject refusals(Set<Integer> statuses) {
    Map<Integer, List<ErrorCode>> byStatus =
        Stream.of(ErrorCode.values())
            .filter(code -> statuses.contains(code.httpStatus()))
            .collect(
                Collectors.groupingBy(ErrorCode::httpStatus, TreeMap::new, Collectors.toList()));
    JsonObject.Builder responses = JsonObject.builder();
    responses.put(REFUSED, refused("It was refused, and nothing was changed", null));
    byStatus.forEach(
        (status, codes) ->
            responses.put(
                REFUSED + status,
                refused(
                    "Refused, and nothing was changed. `code` is one of: "
                        + codes.stream().map(ErrorCode::wireName).collect(Collectors.joining(", ")),
                    codes.getFirst())));
    return responses.build();
  }

  private static JsonObject refused(
      String about, @org.jspecify.annotations.Nullable ErrorCode example) {
    JsonObject media = JsonObject.of("schema", TypeSchema.reference(REFUSED));
    JsonObject shown =
        example == null
            ? media
            : media.with(
                "example",
                Problem.of(example.wireName(), example.httpStatus(), "what, and what to do"));
    return JsonObject.builder()
        .put("description", about)
        .put("content", JsonObject.of(Problem.MEDIA_TYPE, shown))
        .build();
  }
}

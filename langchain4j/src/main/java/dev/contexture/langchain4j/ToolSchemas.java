package dev.contexture.langchain4j;

import dev.contexture.json.JavaValues;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.tool.ToolSpec;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schemas of arguments, between JSON and the classes of LangChain4j. */
final class ToolSchemas {
  private static final String DESCRIPTION = "description";

  private ToolSchemas() {}

  /** The JSON of a schema; of a tool without arguments if there is none. */
  static JsonObject json(@Nullable JsonObjectSchema schema) {
    if (schema == null) {
      return ToolSpec.NO_ARGUMENTS;
    }
    return (JsonObject)
        JavaValues.json(JsonSchemaElementUtils.toMap(schema))
            .orElseThrow(() -> new IllegalStateException("a schema that is no JSON: " + schema));
  }

  /** The schema of an object; bounds of numbers and lengths are left out. */
  static JsonObjectSchema of(JsonObject json) {
    JsonObjectSchema.Builder schema = JsonObjectSchema.builder();
    json.string(DESCRIPTION).ifPresent(schema::description);
    json.object("properties")
        .orElse(JsonObject.EMPTY)
        .members()
        .forEach((name, value) -> schema.addProperty(name, element((JsonObject) value)));
    return schema.required(texts(json, "required")).build();
  }

  private static JsonSchemaElement element(JsonObject json) {
    String about = json.string(DESCRIPTION).orElse(null);
    if (json.has("enum")) {
      return JsonEnumSchema.builder().description(about).enumValues(texts(json, "enum")).build();
    }
    if (json.has("anyOf")) {
      List<JsonSchemaElement> choices =
          json.array("anyOf").orElseThrow().items().stream()
              .map(choice -> element((JsonObject) choice))
              .toList();
      return JsonAnyOfSchema.builder().description(about).anyOf(choices).build();
    }
    return switch (json.string("type").orElse("")) {
      case "string" -> JsonStringSchema.builder().description(about).build();
      case "integer" -> JsonIntegerSchema.builder().description(about).build();
      case "number" -> JsonNumberSchema.builder().description(about).build();
      case "boolean" -> JsonBooleanSchema.builder().description(about).build();
      case "array" -> array(json, about);
      case "object" -> of(json);
      default -> JsonRawSchema.from(json.toJson()); // any value
    };
  }

  private static JsonSchemaElement array(JsonObject json, @Nullable String about) {
    JsonArraySchema.Builder array = JsonArraySchema.builder().description(about);
    json.object("items").ifPresent(items -> array.items(element(items)));
    return array.build();
  }

  private static List<String> texts(JsonObject json, String key) {
    return json.array(key).orElse(JsonArray.of()).items().stream()
        .filter(JsonString.class::isInstance)
        .map((JsonValue value) -> ((JsonString) value).value())
        .toList();
  }
}

package dev.contexture.adk;

import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.Schema;
import com.google.genai.types.Tool;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.request.ToolDef;
import dev.contexture.tool.ToolSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the functions that a request declares. Google writes types of schemas in capitals. */
final class ToolDeclarations {
  private ToolDeclarations() {}

  static List<ToolDef> of(GenerateContentConfig config) {
    return config.tools().orElse(List.of()).stream()
        .flatMap((Tool tool) -> tool.functionDeclarations().orElse(List.of()).stream())
        .map(ToolDeclarations::tool)
        .toList();
  }

  private static ToolDef tool(FunctionDeclaration function) {
    return new ToolDef(
        function.name().orElse(""), function.description().orElse(""), schema(function).toJson());
  }

  private static JsonObject schema(FunctionDeclaration function) {
    Object json = function.parametersJsonSchema().orElse(null);
    if (json != null) {
      return (JsonObject) AdkJson.value(json);
    }
    return function
        .parameters()
        .map(Schema::toJson)
        .map(text -> (JsonObject) lower((JsonObject) JsonValue.parse(text)))
        .orElse(ToolSpec.NO_ARGUMENTS);
  }

  private static JsonValue lower(JsonValue value) {
    return switch (value) {
      case JsonObject object -> {
        JsonObject.Builder lowered = JsonObject.builder();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
          lowered.put(
              member.getKey(),
              member.getKey().equals("type") && member.getValue() instanceof JsonString type
                  ? JsonValue.of(type.value().toLowerCase(Locale.ROOT))
                  : lower(member.getValue()));
        }
        yield lowered.build();
      }
      case JsonArray array ->
          new JsonArray(array.items().stream().map(ToolDeclarations::lower).toList());
      default -> value;
    };
  }
}

package dev.contexture.server.openapi;

import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.error.Choices;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.Stop;
import dev.contexture.prompt.MemoryRefresh;
import dev.contexture.request.Effort;
import dev.contexture.request.history.HistoryFormat;
import dev.contexture.search.SearchContent;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchMode;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.token.TokenCounter;
import dev.contexture.tool.RuleEngine;
import dev.contexture.turn.Reply;
import dev.contexture.view.CachePoint;
import dev.contexture.view.Dialect;
import dev.contexture.view.HidePlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The JSON Schema of a type, as {@code routes.txt} and {@code schemas.txt} write types. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TypeSchema {
  // Both as BuiltInProviders has them, which this module does not have; a test compares.
  private static final List<String> PROVIDERS =
      List.of("anthropic", "openai_chat", "openai_responses", "gemini");
  private static final List<String> HISTORY_FORMATS =
      List.of(
          "openai",
          "openai_responses",
          "anthropic",
          "gemini",
          "langchain",
          "langchain4j",
          "vercel_ai",
          "chatgpt",
          "claude",
          "claude_code",
          "letta",
          "mcp_memory",
          "sharegpt",
          HistoryFormat.AUTO);
  private static final JsonObject NULL = JsonObject.of("type", JsonValue.of("null"));

  private TypeSchema() {}

  /** The schema of a type. */
  static JsonObject of(String type) {
    if (type.endsWith("?")) {
      return orNull(of(type.substring(0, type.length() - 1)));
    }
    List<String> choices = choices(type);
    if (choices.size() > 1) {
      return JsonObject.of(
          "anyOf", new JsonArray(choices.stream().<JsonValue>map(TypeSchema::of).toList()));
    }
    if (type.startsWith("[")) {
      return simple("array").with("items", of(inner(type)));
    }
    if (type.startsWith("{")) {
      return simple("object").with("additionalProperties", of(inner(type)));
    }
    List<String> words = words(type);
    if (!words.isEmpty()) {
      return simple("string").with("enum", JsonArray.ofStrings(words));
    }
    return switch (type) {
      case "any" -> JsonObject.EMPTY;
      case "time" -> simple("string").with("format", JsonValue.of("date-time"));
      default -> Character.isUpperCase(type.charAt(0)) ? reference(type) : simple(type);
    };
  }

  /** The words that a type allows: {@code a/b}, or the name of an enumeration behind an @. */
  public static List<String> words(String type) {
    return switch (type) {
      case "@block_type" -> Choices.of(MemoryBlockType.values());
      case "@cache_point" -> Choices.of(CachePoint.Kind.values());
      case "@code" -> Choices.of(ErrorCode.values());
      case "@compaction_status" -> Choices.of(CompactionReport.Status.values());
      case "@dialect" -> Choices.of(Dialect.values());
      case "@effort" -> Choices.of(Effort.values());
      case "@hide_status" -> Choices.of(HidePlanner.Status.values());
      case "@history_format" -> HISTORY_FORMATS;
      case "@memory_refresh" -> Choices.of(MemoryRefresh.values());
      case "@outcome" -> Choices.of(AnswerOutcome.values());
      case "@permission" -> Choices.of(MemoryPermission.values());
      case "@policy" -> CompactionPolicy.names();
      case "@provider" -> PROVIDERS;
      case "@role" -> Choices.of(KeyRole.values());
      case "@rule_next" -> Choices.of(RuleEngine.Next.values());
      case "@search_content" -> Choices.of(SearchContent.values());
      case "@search_content_type" -> Choices.of(SearchContentType.values());
      case "@search_mode" -> Choices.of(SearchMode.values());
      case "@stop" ->
          Stream.concat(Choices.of(Stop.values()).stream(), Stream.of(Reply.CANCELLED)).toList();
      case "@tokenizer" -> TokenCounter.names();
      case "@turn_status" -> Choices.of(TurnStatus.values());
      default -> slashed(type);
    };
  }

  private static List<String> slashed(String type) {
    if (type.startsWith("@")) {
      throw new IllegalArgumentException("there is no enumeration " + type);
    }
    boolean one = Character.isLowerCase(type.charAt(0)) && type.indexOf('/') > 0;
    return one
        ? Stream.of(type.split("/", -1)).filter(word -> !word.isEmpty()).toList()
        : List.of();
  }

  /** The types between the + of a type, outside of brackets. */
  private static List<String> choices(String type) {
    List<String> found = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < type.length(); i++) {
      char c = type.charAt(i);
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
      if (c == '+' && depth == 0) {
        found.add(type.substring(from, i));
        from = i + 1;
      }
    }
    found.add(type.substring(from));
    return found;
  }

  private static String inner(String type) {
    return type.substring(1, type.length() - 1);
  }

  private static JsonObject orNull(JsonObject schema) {
    String name = schema.string("type").orElse("");
    return name.isEmpty() || schema.has("enum")
        ? JsonObject.of("anyOf", new JsonArray(List.of(schema, NULL)))
        : schema.with("type", JsonArray.ofStrings(List.of(name, "null")));
  }

  static JsonObject simple(String type) {
    return JsonObject.of("type", JsonValue.of(type));
  }

  static JsonObject reference(String name) {
    return JsonObject.of("$ref", JsonValue.of("#/components/schemas/" + name));
  }

  /** An object with these members. */
  static JsonObject object(List<RouteDocs.Field> fields) {
    JsonObject.Builder properties = JsonObject.builder();
    fields.forEach(field -> properties.put(field.name(), of(field.type())));
    List<String> required =
        fields.stream().filter(RouteDocs.Field::required).map(RouteDocs.Field::name).toList();
    JsonObject schema = simple("object").with("properties", properties.build());
    return required.isEmpty() ? schema : schema.with("required", JsonArray.ofStrings(required));
  }
}

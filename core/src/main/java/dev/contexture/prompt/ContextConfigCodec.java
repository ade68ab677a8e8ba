package dev.contexture.prompt;

import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A configuration as JSON. What is absent is as in {@link ContextConfig#DEFAULT}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContextConfigCodec {
  private static final Set<String> LIMITS =
      Set.of("max_tokens", "memory_tokens", "history_tokens", "reserved_response_tokens");
  private static final List<String> PARTS =
      List.of("memory_tokens", "history_tokens", "reserved_response_tokens");
  private static final Set<String> KNOWN =
      Set.of(
          "max_tokens",
          "memory_tokens",
          "history_tokens",
          "reserved_response_tokens",
          "model_overrides",
          "include_descriptions",
          "include_schemas",
          "activity_entries_limit",
          "max_messages_cap",
          "memory_refresh",
          "compression_strategy");

  private ContextConfigCodec() {}

  /**
   * Reads a configuration.
   *
   * @throws ContextureException {@code invalid_config} if it cannot hold, {@code unknown_field} or
   *     {@code field_type}
   */
  public static ContextConfig read(JsonObject json) {
    ContextConfig absent = ContextConfig.DEFAULT;
    JsonFields fields = JsonFields.of(json, KNOWN);
    ModelContextLimits limits = limits(fields, absent.defaultLimits());
    return new ContextConfig(
        limits,
        overrides(fields.object("model_overrides").orElse(JsonObject.EMPTY), limits),
        fields.flag("include_descriptions", absent.includeDescriptions()),
        fields.flag("include_schemas", absent.includeSchemas()),
        integer(fields, "activity_entries_limit", absent.activityEntriesLimit()),
        fields.object("compression_strategy").map(ContextConfigCodec::strategy).orElse(null),
        integer(fields, "max_messages_cap", absent.maxMessagesCap()),
        fields.string("memory_refresh").map(MemoryRefresh::named).orElse(null));
  }

  /** Limits; {@code max_tokens} alone keeps the shares of the others. */
  private static ModelContextLimits limits(JsonFields fields, ModelContextLimits absent) {
    OptionalLong whole = fields.number("max_tokens");
    if (whole.isPresent() && PARTS.stream().allMatch(part -> fields.number(part).isEmpty())) {
      return absent.scaledTo(whole.getAsLong());
    }
    return new ModelContextLimits(
        fields.number("max_tokens").orElse(absent.maxTokens()),
        fields.number("memory_tokens").orElse(absent.memoryTokens()),
        fields.number("history_tokens").orElse(absent.historyTokens()),
        fields.number("reserved_response_tokens").orElse(absent.reservedResponseTokens()));
  }

  private static Map<String, ModelContextLimits> overrides(
      JsonObject json, ModelContextLimits absent) {
    Map<String, ModelContextLimits> overrides = new LinkedHashMap<>();
    for (Map.Entry<String, JsonValue> member : json.members().entrySet()) {
      String field = "model_overrides." + member.getKey();
      try {
        JsonFields fields = JsonFields.of(member.getValue(), field, LIMITS);
        overrides.put(member.getKey(), limits(fields, absent));
      } catch (ContextureException refused) {
        throw refused.field().orElse("").startsWith(field) ? refused : refused.within(field);
      }
    }
    return overrides;
  }

  private static int integer(JsonFields fields, String name, int absent) {
    OptionalLong given = fields.number(name);
    if (given.isPresent() && given.getAsLong() != (int) given.getAsLong()) {
      throw invalid(name, given.getAsLong(), "a number below 2^31");
    }
    return given.isPresent() ? (int) given.getAsLong() : absent;
  }

  /** A strategy; null: compaction with the policy of the engine. */
  private static @Nullable CompressionStrategy strategy(JsonObject json) {
    String kind =
        json.string("kind")
            .orElseThrow(() -> invalid("compression_strategy.kind", "absent", KINDS));
    return switch (kind) {
      case "compaction" -> {
        JsonFields fields = JsonFields.of(json, Set.of("kind", "preset"));
        String preset = fields.string("preset").orElse(null);
        yield preset == null ? null : new CompressionStrategy.Compaction(preset(preset));
      }
      case "truncate" -> {
        JsonFields fields = JsonFields.of(json, Set.of("kind", "keep_recent"));
        yield new CompressionStrategy.Truncate(integer(fields, "keep_recent", 0));
      }
      case "recursive_summarization" -> {
        JsonFields fields =
            JsonFields.of(json, Set.of("kind", "chunk_size", "summarization_model", "prompt"));
        yield new CompressionStrategy.RecursiveSummarization(
            integer(fields, "chunk_size", 0),
            fields.string("summarization_model").orElse(null),
            fields.string("prompt").orElse(null));
      }
      default -> throw invalid("compression_strategy.kind", kind, KINDS);
    };
  }

  private static final String KINDS = "compaction, truncate or recursive_summarization";

  private static CompactionPolicy preset(String name) {
    return CompactionPolicy.find(name)
        .orElseThrow(
            () ->
                invalid(
                    "compression_strategy.preset",
                    name,
                    Choices.inWords(CompactionPolicy.names())));
  }

  private static ContextureException invalid(String field, Object actual, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_CONFIG, field, actual, allowed);
  }
}

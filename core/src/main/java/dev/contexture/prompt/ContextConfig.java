package dev.contexture.prompt;

import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the assembly of requests. Immutable; every {@code with} method gives a changed copy.
 *
 * @param defaultLimits for models without limits of their own
 * @param modelOverrides limits by model, or by the beginning of its name and {@code *}; any case
 * @param includeDescriptions whether memory blocks show what they are for
 * @param includeSchemas whether they show the shape of their content
 * @param activityEntriesLimit the most events of recent activity; 0: none is shown
 * @param compressionStrategy how a conversation that is too long is made shorter; null: compaction
 *     with the policy of the engine
 * @param maxMessagesCap the most messages of the conversation
 * @param refresh when memory in the prompt is rewritten; null: per epoch in a conversation, else
 *     every time
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ContextConfig(
    ModelContextLimits defaultLimits,
    Map<String, ModelContextLimits> modelOverrides,
    boolean includeDescriptions,
    boolean includeSchemas,
    int activityEntriesLimit,
    @Nullable CompressionStrategy compressionStrategy,
    int maxMessagesCap,
    @Nullable MemoryRefresh refresh) {
  public static final ContextConfig DEFAULT =
      new ContextConfig(ModelContextLimits.DEFAULT, Map.of(), true, false, 15, null, 500, null);

  private static final String PREFIX = "*";

  /**
   * @throws ContextureException {@code invalid_config} if a number is out of range, or two
   *     overrides have one name
   */
  public ContextConfig {
    if (activityEntriesLimit < 0) {
      throw invalid("activity_entries_limit", activityEntriesLimit, "a number from 0");
    }
    if (maxMessagesCap < 1) {
      throw invalid("max_messages_cap", maxMessagesCap, "a number from 1");
    }
    Map<String, ModelContextLimits> byName = new LinkedHashMap<>();
    modelOverrides.forEach(
        (name, limits) -> {
          if (name.isBlank() || byName.put(name.toLowerCase(Locale.ROOT), limits) != null) {
            throw invalid("model_overrides", name, "each model once, in whatever case");
          }
        });
    modelOverrides = java.util.Collections.unmodifiableMap(byName);
  }

  /**
   * Limits, and the override that they come from.
   *
   * @param key null: none fits the model
   */
  public record Chosen(ModelContextLimits limits, @Nullable String key) {
    public Optional<String> overrideKey() {
      return Optional.ofNullable(key);
    }
  }

  /** The limits of a model: its own, else those of the longest beginning of its name. */
  public Chosen limitsFor(String model) {
    String name = model.toLowerCase(Locale.ROOT);
    ModelContextLimits exact = modelOverrides.get(name);
    if (exact != null) {
      return new Chosen(exact, name);
    }
    String longest = null;
    for (String key : modelOverrides.keySet()) {
      boolean fits = key.endsWith(PREFIX) && name.startsWith(key.substring(0, key.length() - 1));
      if (fits && (longest == null || key.length() > longest.length())) {
        longest = key;
      }
    }
    ModelContextLimits found = longest == null ? null : modelOverrides.get(longest);
    return new Chosen(found == null ? defaultLimits : found, longest);
  }

  /** When memory in the prompt is rewritten, for a request with or without a conversation. */
  public MemoryRefresh refresh(boolean inConversation) {
    if (refresh != null) {
      return inConversation ? refresh : MemoryRefresh.EVERY_BUILD;
    }
    return inConversation ? MemoryRefresh.PER_EPOCH : MemoryRefresh.EVERY_BUILD;
  }

  public ContextConfig withLimits(ModelContextLimits limits) {
    return new ContextConfig(
        limits,
        modelOverrides,
        includeDescriptions,
        includeSchemas,
        activityEntriesLimit,
        compressionStrategy,
        maxMessagesCap,
        refresh);
  }

  /** Limits of a model, or of all whose name begins as the key does before its {@code *}. */
  public ContextConfig withModelLimits(String model, ModelContextLimits limits) {
    Map<String, ModelContextLimits> more = new LinkedHashMap<>(modelOverrides);
    more.put(model.toLowerCase(Locale.ROOT), limits);
    return new ContextConfig(
        defaultLimits,
        more,
        includeDescriptions,
        includeSchemas,
        activityEntriesLimit,
        compressionStrategy,
        maxMessagesCap,
        refresh);
  }

  public ContextConfig withDescriptions(boolean include) {
    return new ContextConfig(
        defaultLimits,
        modelOverrides,
        include,
        includeSchemas,
        activityEntriesLimit,
        compressionStrategy,
        maxMessagesCap,
        refresh);
  }

  public ContextConfig withSchemas(boolean include) {
    return new ContextConfig(
        defaultLimits,
        modelOverrides,
        includeDescriptions,
        include,
        activityEntriesLimit,
        compressionStrategy,
        maxMessagesCap,
        refresh);
  }

  public ContextConfig withActivityEntries(int limit) {
    return new ContextConfig(
        defaultLimits,
        modelOverrides,
        includeDescriptions,
        includeSchemas,
        limit,
        compressionStrategy,
        maxMessagesCap,
        refresh);
  }

  public ContextConfig withStrategy(@Nullable CompressionStrategy strategy) {
    return new ContextConfig(
        defaultLimits,
        modelOverrides,
        includeDescriptions,
        includeSchemas,
        activityEntriesLimit,
        strategy,
        maxMessagesCap,
        refresh);
  }

  public ContextConfig withMessagesCap(int cap) {
    return new ContextConfig(
        defaultLimits,
        modelOverrides,
        includeDescriptions,
        includeSchemas,
        activityEntriesLimit,
        compressionStrategy,
        cap,
        refresh);
  }

  public ContextConfig withRefresh(@Nullable MemoryRefresh when) {
    return new ContextConfig(
        defaultLimits,
        modelOverrides,
        includeDescriptions,
        includeSchemas,
        activityEntriesLimit,
        compressionStrategy,
        maxMessagesCap,
        when);
  }

  private static ContextureException invalid(String field, Object actual, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_CONFIG, field, actual, allowed);
  }
}

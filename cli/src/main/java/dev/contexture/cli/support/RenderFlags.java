package dev.contexture.cli.support;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The render options as flags, a mixin of the commands that render. Each flag is one option of the
 * HTTP API's render call; {@link #toOptions()} gives that call's object, so that defaults and
 * ranges are decided in one place, the engine.
 */
public final class RenderFlags {
  private static final String YES = "true";
  private static final String FLAG = "0..1";

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "Budget of the context. Without it nothing is compacted.")
  private @Nullable Long maxTokens;

  @Option(
      names = "--system-text",
      paramLabel = "TEXT",
      description = "System prompt, counted but not rendered.")
  private @Nullable String systemText;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      completionCandidates = Names.Policies.class,
      description = "Compaction preset: ${COMPLETION-CANDIDATES}; the first is the default.")
  private @Nullable String policy;

  @Option(
      names = "--include-sources",
      arity = FLAG,
      fallbackValue = YES,
      paramLabel = "true|false",
      description = "Append the sources pool.")
  private @Nullable Boolean includeSources;

  @Option(
      names = "--include-announce",
      arity = FLAG,
      fallbackValue = YES,
      paramLabel = "true|false",
      description = "Append the announce blocks.")
  private @Nullable Boolean includeAnnounce;

  @Option(
      names = "--cache-last",
      arity = FLAG,
      fallbackValue = YES,
      paramLabel = "true|false",
      description = "Set a cache point on the last stable block (the default).")
  private @Nullable Boolean cacheLast;

  @Option(names = "--no-cache-last", description = "The same as --cache-last=false.")
  private boolean noCacheLast;

  @Option(
      names = "--force-sanitize",
      arity = FLAG,
      fallbackValue = YES,
      paramLabel = "true|false",
      description = "Compact even if the budget does not demand it.")
  private @Nullable Boolean forceSanitize;

  @Option(
      names = "--read-only",
      arity = FLAG,
      fallbackValue = YES,
      paramLabel = "true|false",
      description = "Compact in the answer only, store nothing.")
  private @Nullable Boolean readOnly;

  @Option(
      names = "--keep-recent-turns",
      paramLabel = "N",
      description = "Newest turns that compaction protects; 0 protects none.")
  private @Nullable Long keepRecentTurns;

  @Option(
      names = "--exclude-contributions",
      split = ",",
      paramLabel = "TYPE",
      description = "Block types to leave out, separated by commas.")
  private @Nullable List<String> excludeContributions;

  @Option(
      names = "--include-only-contributions",
      split = ",",
      paramLabel = "TYPE",
      description = "The only block types to keep beside the base blocks, separated by commas.")
  private @Nullable List<String> includeOnlyContributions;

  @Option(
      names = "--dialect",
      paramLabel = "NAME",
      description = "transcript (the default) or native.")
  private @Nullable String dialect;

  @Option(
      names = "--cache-point-min-rounds",
      paramLabel = "N",
      description = "Rounds that must exist before a cache point is set inside the turns.")
  private @Nullable Long cachePointMinRounds;

  @Option(
      names = "--cache-point-offset-rounds",
      paramLabel = "N",
      description = "How many rounds before the end that cache point is set.")
  private @Nullable Long cachePointOffsetRounds;

  @Option(
      names = "--cache-ttl-seconds",
      paramLabel = "N",
      description = "Life of the provider's cache, for pruning; 0 (the default) prunes nothing.")
  private @Nullable Long cacheTtlSeconds;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Keep only the newest N turns after the newest summary.")
  private @Nullable Long limit;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "Keep only turns that are not older than N days.")
  private @Nullable Long days;

  @Option(
      names = "--text-only",
      arity = FLAG,
      fallbackValue = YES,
      paramLabel = "true|false",
      description = "Show binary content as marker lines.")
  private @Nullable Boolean textOnly;

  @Option(
      names = "--strict-budget",
      arity = FLAG,
      fallbackValue = YES,
      paramLabel = "true|false",
      description = "Refuse with context_too_large instead of answering over the budget.")
  private @Nullable Boolean strictBudget;

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      completionCandidates = Names.Tokenizers.class,
      description = "${COMPLETION-CANDIDATES}; the first is the default.")
  private @Nullable String tokenizer;

  /** The flags that were given, as the options object of the render call. */
  public JsonObject toOptions() {
    JsonObject.Builder options = JsonObject.builder();
    put(options, "max_tokens", maxTokens);
    put(options, "system_text", systemText);
    put(options, "policy", policy);
    put(options, "include_sources", includeSources);
    put(options, "include_announce", includeAnnounce);
    put(options, "cache_last", noCacheLast ? Boolean.FALSE : cacheLast);
    put(options, "force_sanitize", forceSanitize);
    put(options, "read_only", readOnly);
    put(options, "keep_recent_turns", keepRecentTurns);
    putList(options, "exclude_contributions", excludeContributions);
    putList(options, "include_only_contributions", includeOnlyContributions);
    put(options, "dialect", dialect);
    put(options, "cache_point_min_rounds", cachePointMinRounds);
    put(options, "cache_point_offset_rounds", cachePointOffsetRounds);
    put(options, "cache_ttl_seconds", cacheTtlSeconds);
    put(options, "limit", limit);
    put(options, "days", days);
    put(options, "text_only", textOnly);
    put(options, "strict_budget", strictBudget);
    put(options, "tokenizer", tokenizer);
    return options.build();
  }

  private static void put(JsonObject.Builder options, String name, @Nullable Object value) {
    if (value != null) {
      options.put(name, json(value));
    }
  }

  private static void putList(
      JsonObject.Builder options, String name, @Nullable List<String> values) {
    if (values != null) {
      options.put(name, JsonArray.ofStrings(values));
    }
  }

  private static JsonValue json(Object value) {
    return switch (value) {
      case Long number -> JsonValue.of(number.longValue());
      case Boolean flag -> JsonValue.of(flag.booleanValue());
      default -> JsonValue.of(value.toString());
    };
  }
}

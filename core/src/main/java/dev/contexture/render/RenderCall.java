package dev.contexture.render;

import dev.contexture.block.BlockType;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Adds;
import dev.contexture.view.CachePoint;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.PruneSettings;
import dev.contexture.view.Reader;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A render call as it comes over the wire: the options of the render itself, and what happens
 * before it.
 *
 * @param options dialect, budget, filters, tail
 * @param pruning what is pruned when the provider's cache has expired
 * @param turnLimit how many turns are loaded
 * @param given the names of the options that the caller gave
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RenderCall(
    RenderOptions options, PruneSettings pruning, TurnLimit turnLimit, Set<String> given) {
  private static final Set<String> FIELDS =
      Set.of(
          "max_tokens",
          "system_text",
          "policy",
          "force_sanitize",
          "read_only",
          "keep_recent_turns",
          "include_sources",
          "include_announce",
          "cache_last",
          "exclude_contributions",
          "include_only_contributions",
          "dialect",
          "cache_point_min_rounds",
          "cache_point_offset_rounds",
          "cache_ttl_seconds",
          "limit",
          "days",
          "text_only",
          "strict_budget",
          "tokenizer",
          "adds");

  public RenderCall {
    given = Set.copyOf(given);
  }

  /**
   * Reads the options of a call; absent ones have their defaults.
   *
   * @throws ContextureException {@code unknown_field}, {@code field_type} or {@code invalid_config}
   */
  public static RenderCall read(JsonObject json) {
    JsonFields fields = JsonFields.of(json, FIELDS);
    RenderOptions options =
        RenderOptions.defaults()
            .withSystemText(fields.string("system_text").orElse(""))
            .withSources(fields.flag("include_sources", false))
            .withAnnounce(fields.flag("include_announce", false))
            .withCacheLast(fields.flag("cache_last", true))
            .withStrictBudget(fields.flag("strict_budget", false))
            .withForceSanitize(fields.flag("force_sanitize", false))
            .withReadOnly(fields.flag("read_only", false))
            .withDialect(dialect(fields.string("dialect").orElse("transcript")))
            .withReader(Reader.ANY.textOnly(fields.flag("text_only", false)))
            .withMeter(
                TokenMeter.of(TokenCounter.named(fields.string("tokenizer").orElse("o200k_base"))))
            .withFilters(
                new ContributionFilters(
                    types(fields, "include_only_contributions"),
                    types(fields, "exclude_contributions")));
    return new RenderCall(
        withPolicy(withBudget(withTurnOptions(options, fields), fields), fields),
        PruneSettings.DISABLED.ttl(fields.number("cache_ttl_seconds").orElse(0)),
        new TurnLimit(count(fields, "limit"), count(fields, "days", 1)),
        json.keys());
  }

  /** What the settings of the turn decide unless it is given. */
  private static RenderOptions withTurnOptions(RenderOptions options, JsonFields fields) {
    OptionalInt least = count(fields, "cache_point_min_rounds");
    OptionalInt offset = count(fields, "cache_point_offset_rounds");
    CachePoint.Settings usual = CachePoint.Settings.DEFAULT;
    RenderOptions pointed =
        least.isEmpty() && offset.isEmpty()
            ? options
            : options.withCachePoints(
                new CachePoint.Settings(
                    least.orElse(usual.minRounds()), offset.orElse(usual.offsetRounds())));
    return fields.object("adds").map(adds -> pointed.withAdds(adds(adds))).orElse(pointed);
  }

  private static Adds adds(JsonObject json) {
    try {
      return Adds.read(json);
    } catch (ContextureException refused) {
      throw refused.within("adds");
    }
  }

  private static RenderOptions withBudget(RenderOptions options, JsonFields fields) {
    OptionalLong max = fields.number("max_tokens");
    return max.isPresent() ? options.withMaxTokens(max.getAsLong()) : options;
  }

  private static RenderOptions withPolicy(RenderOptions options, JsonFields fields) {
    RenderOptions named =
        fields
            .string("policy")
            .map(name -> options.withPolicy(CompactionPolicy.named(name)))
            .orElse(options);
    OptionalInt turns = count(fields, "keep_recent_turns");
    return turns.isPresent() ? named.withKeepRecentTurns(turns.getAsInt()) : named;
  }

  private static Dialect dialect(String name) {
    for (Dialect dialect : Dialect.values()) {
      if (dialect.wireName().equals(name)) {
        return dialect;
      }
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_CONFIG, "dialect", name, "transcript or native");
  }

  private static Set<BlockType> types(JsonFields fields, String name) {
    Set<BlockType> types = new HashSet<>();
    List<String> names = fields.strings(name);
    for (int i = 0; i < names.size(); i++) {
      try {
        types.add(BlockType.of(names.get(i)));
      } catch (ContextureException refused) {
        throw refused.within(name + "[" + i + "]");
      }
    }
    return types;
  }

  private static OptionalInt count(JsonFields fields, String name) {
    return count(fields, name, 0);
  }

  private static OptionalInt count(JsonFields fields, String name, int least) {
    OptionalLong number = fields.number(name);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    if (number.getAsLong() < least || number.getAsLong() > Integer.MAX_VALUE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          name,
          number.getAsLong(),
          "a number from " + least + " to " + Integer.MAX_VALUE);
    }
    return OptionalInt.of((int) number.getAsLong());
  }
}

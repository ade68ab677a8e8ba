package dev.contexture.turn;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.view.Adds;
import dev.contexture.view.CachePoint;
import dev.contexture.view.PruneSettings;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Settings that hold for everything that is done in a turn, unless a call says otherwise. Kept with
 * the turn; null: not given. Immutable; every {@code with} method gives a changed copy.
 *
 * @param maxTokens the budget of renders and requests
 * @param points where cache points are put
 * @param cacheTtlSeconds how long the provider's cache lives; 0: nothing is pruned
 * @param turns the newest so many turns are shown
 * @param days none that is older is shown
 * @param incomplete what happens to a turn that a crash left open
 * @param adds what is told beside what was said
 * @param userType what kind of user asks; kept for the host, decides nothing
 * @param bundleId which bundle of the host's asks; kept for the host, decides nothing
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record TurnSettings(
    @Nullable Long maxTokens,
    CachePoint.@Nullable Settings points,
    @Nullable Long cacheTtlSeconds,
    @Nullable Integer turns,
    @Nullable Integer days,
    TurnStart.@Nullable OnIncomplete incomplete,
    @Nullable Adds adds,
    @Nullable String userType,
    @Nullable String bundleId) {
  /** Nothing was given. */
  public static final TurnSettings NONE =
      new TurnSettings(null, null, null, null, null, null, null, null, null);

  /** The names of the settings as callers give them. */
  public static final Set<String> FIELDS =
      Set.of(
          "max_tokens",
          "cache_point_min_rounds",
          "cache_point_offset_rounds",
          "cache_ttl_seconds",
          "limit",
          "days",
          "on_incomplete",
          "adds",
          "user_type",
          "bundle_id");

  private static final int MAX_NAME = 200;

  public TurnSettings {
    if (maxTokens != null && maxTokens < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_tokens", maxTokens, "a number from 1");
    }
    if (cacheTtlSeconds != null) {
      Objects.requireNonNull(PruneSettings.DISABLED.ttl(cacheTtlSeconds)); // checks it
    }
    checkName("user_type", userType);
    checkName("bundle_id", bundleId);
    Objects.requireNonNull(limit(turns, days)); // checks them
  }

  private static void checkName(String field, @Nullable String name) {
    if (name != null && name.codePointCount(0, name.length()) > MAX_NAME) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED,
          field,
          MAX_NAME,
          name.codePointCount(0, name.length()),
          "characters");
    }
  }

  public TurnSettings withMaxTokens(long tokens) {
    return new TurnSettings(
        tokens, points, cacheTtlSeconds, turns, days, incomplete, adds, userType, bundleId);
  }

  public TurnSettings withCachePoints(CachePoint.Settings settings) {
    return new TurnSettings(
        maxTokens, settings, cacheTtlSeconds, turns, days, incomplete, adds, userType, bundleId);
  }

  public TurnSettings withCacheTtl(long seconds) {
    return new TurnSettings(
        maxTokens, points, seconds, turns, days, incomplete, adds, userType, bundleId);
  }

  public TurnSettings withTurnLimit(TurnLimit limit) {
    return new TurnSettings(
        maxTokens,
        points,
        cacheTtlSeconds,
        boxed(limit.turns()),
        boxed(limit.days()),
        incomplete,
        adds,
        userType,
        bundleId);
  }

  public TurnSettings withOnIncomplete(TurnStart.OnIncomplete choice) {
    return new TurnSettings(
        maxTokens, points, cacheTtlSeconds, turns, days, choice, adds, userType, bundleId);
  }

  public TurnSettings withAdds(Adds choice) {
    return new TurnSettings(
        maxTokens, points, cacheTtlSeconds, turns, days, incomplete, choice, userType, bundleId);
  }

  /** Who asks, as the host calls it; null: not known. Both decide nothing by themselves. */
  public TurnSettings withRuntime(@Nullable String type, @Nullable String bundle) {
    return new TurnSettings(
        maxTokens, points, cacheTtlSeconds, turns, days, incomplete, adds, type, bundle);
  }

  private static @Nullable Integer boxed(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }

  /** How many turns are shown. */
  public TurnLimit turnLimit() {
    return limit(turns, days);
  }

  private static TurnLimit limit(@Nullable Integer turns, @Nullable Integer days) {
    return new TurnLimit(
        turns == null ? OptionalInt.empty() : OptionalInt.of(turns),
        days == null ? OptionalInt.empty() : OptionalInt.of(days));
  }

  /** What is pruned when the provider's cache has expired. */
  public PruneSettings pruning() {
    return cacheTtlSeconds == null
        ? PruneSettings.DISABLED
        : PruneSettings.DISABLED.ttl(cacheTtlSeconds);
  }

  /**
   * Reads the form that callers use.
   *
   * @throws ContextureException {@code unknown_field}, {@code field_type} or {@code invalid_config}
   */
  public static TurnSettings read(JsonObject json) {
    JsonFields fields = JsonFields.of(json, FIELDS);
    OptionalLong max = fields.number("max_tokens");
    OptionalLong ttl = fields.number("cache_ttl_seconds");
    return new TurnSettings(
        max.isPresent() ? max.getAsLong() : null,
        points(fields),
        ttl.isPresent() ? ttl.getAsLong() : null,
        count(fields, "limit"),
        count(fields, "days", 1),
        fields.string("on_incomplete").map(TurnSettings::onIncomplete).orElse(null),
        fields.object("adds").map(TurnSettings::adds).orElse(null),
        fields.string("user_type").orElse(null),
        fields.string("bundle_id").orElse(null));
  }

  private static Adds adds(JsonObject json) {
    try {
      return Adds.read(json);
    } catch (ContextureException refused) {
      throw refused.within("adds");
    }
  }

  private static CachePoint.@Nullable Settings points(JsonFields fields) {
    Integer least = count(fields, "cache_point_min_rounds");
    Integer offset = count(fields, "cache_point_offset_rounds");
    CachePoint.Settings usual = CachePoint.Settings.DEFAULT;
    return least == null && offset == null
        ? null
        : new CachePoint.Settings(
            least == null ? usual.minRounds() : least,
            offset == null ? usual.offsetRounds() : offset);
  }

  private static @Nullable Integer count(JsonFields fields, String name) {
    return count(fields, name, 0);
  }

  private static @Nullable Integer count(JsonFields fields, String name, int least) {
    OptionalLong number = fields.number(name);
    if (number.isEmpty()) {
      return null;
    }
    if (number.getAsLong() < least || number.getAsLong() > Integer.MAX_VALUE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          name,
          number.getAsLong(),
          "a number from " + least + " to " + Integer.MAX_VALUE);
    }
    return (int) number.getAsLong();
  }

  private static TurnStart.OnIncomplete onIncomplete(String name) {
    for (TurnStart.OnIncomplete choice : TurnStart.OnIncomplete.values()) {
      if (choice.wireName().equals(name)) {
        return choice;
      }
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "on_incomplete", name, "exclude or interrupt");
  }

  /** As callers give it; what was not given is absent. */
  public JsonObject toJson() {
    JsonObject.Builder json = JsonObject.builder();
    put(json, "max_tokens", maxTokens);
    if (points != null) {
      json.put("cache_point_min_rounds", points.minRounds());
      json.put("cache_point_offset_rounds", points.offsetRounds());
    }
    put(json, "cache_ttl_seconds", cacheTtlSeconds);
    put(json, "limit", turns == null ? null : turns.longValue());
    put(json, "days", days == null ? null : days.longValue());
    json.putIfPresent("on_incomplete", incomplete == null ? null : incomplete.wireName());
    if (adds != null) {
      json.put("adds", adds.toJson());
    }
    return json.putIfPresent("user_type", userType).putIfPresent("bundle_id", bundleId).build();
  }

  private static void put(JsonObject.Builder json, String name, @Nullable Long number) {
    if (number != null) {
      json.put(name, number);
    }
  }
}

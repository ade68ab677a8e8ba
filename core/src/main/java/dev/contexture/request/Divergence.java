package dev.contexture.request;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelPrice;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A change in what had been sent, with its cause and its cost.
 *
 * @param previous the request that was to be repeated
 * @param block the first block that differs
 * @param tier where it stands
 * @param kind what it is
 * @param path where it comes from
 * @param was the text around the first difference, before
 * @param now the same, now; empty if the block is gone
 * @param offset the first character that differs
 * @param cause who did it
 * @param tokensLost tokens that could have been read from the cache
 * @param costLost what that costs, in plain input tokens
 * @param thinkingLost blocks that only their maker can read and that are void now
 * @param advice what would have been cheaper
 * @param moneyLost what it costs in {@link ModelPrice#CURRENCY}; null: the price is not known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Divergence(
    String previous,
    int block,
    RequestBlock.Tier tier,
    String kind,
    String path,
    String was,
    String now,
    int offset,
    Cause cause,
    long tokensLost,
    double costLost,
    List<Integer> thinkingLost,
    String advice,
    @Nullable Double moneyLost) {
  private static final int COST_DIGITS = 2;
  private static final int MONEY_DIGITS = 8;

  public Divergence {
    thinkingLost = List.copyOf(thinkingLost);
  }

  /**
   * The cause of a change.
   *
   * @param actor by name
   * @param operation what was done
   * @param at when; null: not known
   */
  public record Cause(String actor, String operation, @Nullable Instant at) {
    /** Nobody did anything: equal input must give equal bytes, so this is a bug. */
    public static final Cause UNKNOWN = new Cause("unknown", "nondeterministic rendering", null);
  }

  public JsonObject write() {
    Instant at = cause.at;
    JsonObject.Builder json = JsonObject.builder();
    json.put("previous", previous)
        .put("block", block)
        .put("tier", tier.wireName())
        .put("kind", kind)
        .put("path", path)
        .put("was", was)
        .put("now", now)
        .put("offset", offset)
        .put("actor", cause.actor)
        .put("operation", cause.operation)
        .putIfPresent("at", at == null ? null : at.toString())
        .put("tokens_lost", tokensLost)
        .put("cost_lost", number(costLost))
        .put("thinking_lost", new JsonArray(thinkingLost.stream().map(i -> number(i)).toList()))
        .put("advice", advice)
        .put("cost_unit", "plain_input_tokens");
    if (moneyLost != null) {
      json.put("money_lost", number(moneyLost, MONEY_DIGITS)).put("currency", ModelPrice.CURRENCY);
    }
    return json.build();
  }

  private static JsonValue number(double value) {
    return number(value, COST_DIGITS);
  }

  private static JsonValue number(double value, int digits) {
    BigDecimal exact = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    return new JsonNumber(exact.stripTrailingZeros().toPlainString());
  }
}

package dev.contexture.engine.ledger;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelPrice;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Prices the tokens of a request: in plain input tokens, and in money where the catalogue knows the
 * price that holds at its time.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestCost {
  /** What costs are counted in. */
  public static final String UNIT = "plain_input_tokens";

  private static final int COST_DIGITS = 2;
  private static final int MONEY_DIGITS = 8;

  private final CacheRules.Multipliers shares;
  private final @Nullable ModelPrice price;

  private RequestCost(CacheRules.Multipliers shares, @Nullable ModelPrice price) {
    this.shares = shares;
    this.price = price;
  }

  /** The prices of a model at a time. */
  public static RequestCost of(ModelProfile profile, Instant at) {
    return new RequestCost(profile.cache().multipliers(), profile.priceAt(at).orElse(null));
  }

  /** The units of everything else that is written here. */
  JsonObject units() {
    return JsonObject.builder()
        .put("cost_unit", UNIT)
        .putIfPresent("currency", price == null ? null : ModelPrice.CURRENCY)
        .build();
  }

  JsonObject predicted(CacheUseEstimate use) {
    double cost = shares.read() * use.read() + shares.writeShort() * use.write() + use.uncached();
    return priced(
        JsonObject.builder()
            .put("read", use.read())
            .put("write", use.write())
            .put("uncached", use.uncached()),
        cost,
        use.read() + use.write() + use.uncached());
  }

  /**
   * What was sent before and is written to the cache again.
   *
   * @param rewrite what it is
   * @param inputTokens all tokens of the request
   */
  JsonObject rewritten(Rewrite rewrite, long inputTokens) {
    double write = shares.writeShort();
    double cost = rewrite.kept() * (write - shares.read()) + rewrite.inserted() * write;
    return priced(
        JsonObject.builder()
            .put("tokens", rewrite.kept() + rewrite.inserted())
            .put("kept", rewrite.kept())
            .put("inserted", rewrite.inserted()),
        cost,
        inputTokens);
  }

  /**
   * Tokens that would have been read, had what stands before them not changed.
   *
   * @param kept the same as before
   * @param inserted in place of what went: a summary, or what else was written there
   */
  record Rewrite(long kept, long inserted) {}

  /** What an answer really used. */
  public JsonObject spent(Usage usage) {
    double cost =
        shares.read() * usage.cacheRead()
            + shares.write5m() * usage.cacheWrite5m()
            + shares.write1h() * usage.cacheWrite1h()
            + shares.writeShort() * usage.cacheWrite()
            + usage.uncached();
    JsonObject.Builder json = JsonObject.builder().put("cost", number(cost, COST_DIGITS));
    if (price != null) {
      double input = price.inputCost(cost, usage.totalInput());
      double output = price.outputCost(usage.output(), usage.totalInput());
      json.put("input_money", number(input, MONEY_DIGITS))
          .put("output_money", number(output, MONEY_DIGITS))
          .put("money", number(input + output, MONEY_DIGITS));
    }
    return json.build();
  }

  /** The price of some tokens; null if it is not known. */
  @Nullable Double money(double cost, long inputTokens) {
    return price == null ? null : price.inputCost(cost, inputTokens);
  }

  private JsonObject priced(JsonObject.Builder json, double cost, long inputTokens) {
    json.put("cost", number(cost, COST_DIGITS));
    if (price != null) {
      json.put("money", number(price.inputCost(cost, inputTokens), MONEY_DIGITS));
    }
    return json.build();
  }

  private static JsonValue number(double value, int digits) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    return new JsonNumber(
        rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString());
  }
}

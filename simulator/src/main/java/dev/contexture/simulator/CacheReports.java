package dev.contexture.simulator;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelPrice;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apiguardian.api.API;

/** Reports of a cache as JSON and in words. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CacheReports {
  private static final int MONEY_DIGITS = 8;

  private CacheReports() {}

  /** Requests one by one, and their total. */
  public static JsonObject write(CacheReport report) {
    List<JsonValue> requests = new ArrayList<>();
    report.requests().forEach(use -> requests.add(write(use)));
    JsonObject total =
        JsonObject.builder()
            .put("read", report.read())
            .put("write", report.written())
            .put("uncached", report.uncached())
            .put("cost", number(report.cost()))
            .put("cost_no_cache", number(report.costNoCache()))
            .put("cost_ideal", number(report.costIdeal()))
            .put("efficiency", number(report.efficiency()))
            .put("rewritten", report.rewritten())
            .put("rewrite_cost", number(report.rewriteCost()))
            .put("money", money(report))
            .build();
    return JsonObject.builder()
        .put("cost_unit", "plain_input_tokens")
        .put("requests", new JsonArray(requests))
        .put("total", total)
        .build();
  }

  /** The costs in money; null where the price is not known. */
  public static JsonValue money(CacheReport report) {
    if (report.price() == null) {
      return JsonNull.NULL;
    }
    return JsonObject.builder()
        .put("currency", ModelPrice.CURRENCY)
        .put("cost", amount(report.money(CacheUse::cost)))
        .put("cost_no_cache", amount(report.money(CacheUse::costNoCache)))
        .put("cost_ideal", amount(report.money(CacheUse::costIdeal)))
        .put("rewrite_cost", amount(report.money(CacheUse::rewriteCost)))
        .build();
  }

  private static JsonNumber amount(OptionalDouble money) {
    BigDecimal rounded =
        BigDecimal.valueOf(money.orElse(0)).setScale(MONEY_DIGITS, RoundingMode.HALF_UP);
    return new JsonNumber(
        rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString());
  }

  private static JsonObject write(CacheUse use) {
    List<JsonValue> misses = new ArrayList<>();
    use.miss()
        .ifPresent(
            miss ->
                misses.add(
                    JsonObject.builder()
                        .put("cause", name(miss.cause()))
                        .put("block", miss.block())
                        .put("tokens_lost", miss.tokensLost())
                        .put("cost_lost", number(miss.costLost()))
                        .put("detail", miss.detail())
                        .build()));
    return JsonObject.builder()
        .put("read", use.read())
        .put("write", use.write() + use.write5m() + use.write1h())
        .put("uncached", use.uncached())
        .put("cost", number(use.cost()))
        .put("rewritten", use.rewritten())
        .put("misses", new JsonArray(misses))
        .build();
  }

  private static String name(CacheUse.Cause cause) {
    return cause.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static JsonNumber number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(4, RoundingMode.HALF_UP);
    return new JsonNumber(
        rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString());
  }

  /** Every miss on a line of its own. */
  public static String explain(CacheReport report) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < report.requests().size(); i++) {
      int request = i;
      report
          .requests()
          .get(i)
          .miss()
          .ifPresent(
              miss ->
                  text.append(
                      String.format(
                          Locale.ROOT,
                          "request %d: %s at block %d, %d tokens lost, cost %.1f%s%n",
                          request,
                          name(miss.cause()),
                          miss.block(),
                          miss.tokensLost(),
                          miss.costLost(),
                          miss.detail().isEmpty() ? "" : " (" + miss.detail() + ")")));
    }
    return text.toString();
  }
}

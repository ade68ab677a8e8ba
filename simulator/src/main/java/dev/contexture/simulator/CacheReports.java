package dev.contexture.simulator;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** Reports of a cache as JSON and in words. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CacheReports {
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
            .build();
    return JsonObject.builder()
        .put("requests", new JsonArray(requests))
        .put("total", total)
        .build();
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

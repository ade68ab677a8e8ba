package dev.contexture.server.conversation;

import dev.contexture.engine.ledger.RequestLog;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.store.RequestRow;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes that add up the cost of the recorded requests of a conversation. */
final class UsageRoutes {
  private static final int PAGE = 200;
  private static final int MOST = 2_000;

  private UsageRoutes() {}

  static List<Route> routes(String base) {
    return List.of(Route.get(base + "/usage", UsageRoutes::usage));
  }

  private static Response usage(Call call) {
    RequestLog log = call.known().requests();
    Sums sums = new Sums();
    @Nullable String before = null;
    List<RequestRow> page;
    do {
      page = log.list(before, PAGE);
      for (RequestRow row : page) {
        if (LedgerRoutes.isVisible(call, row)) {
          sums.add(row);
        }
        before = row.id();
      }
    } while (page.size() == PAGE && sums.requests < MOST);
    return Response.ok(sums.write());
  }

  /** Sums over requests, of those that were answered. Confined to one thread. */
  private static final class Sums {
    private long requests;
    private long answered;
    private long input;
    private long read;
    private long write;
    private long uncached;
    private long output;
    private BigDecimal cost = BigDecimal.ZERO;
    private BigDecimal money = BigDecimal.ZERO;
    private boolean priced = true;
    private @Nullable String currency;
    private @Nullable String since;

    void add(RequestRow row) {
      requests++;
      since = row.at().toString();
      JsonObject record = row.record();
      record
          .object("usage")
          .ifPresent(usage -> answered(usage, record.object("spent").orElse(JsonObject.EMPTY)));
      currency = record.string("currency").orElse(currency);
    }

    private void answered(JsonObject usage, JsonObject spent) {
      answered++;
      input += whole(usage, "total_input");
      read += whole(usage, "cache_read");
      for (String kind : List.of("cache_write", "cache_write_5m", "cache_write_1h")) {
        write += whole(usage, kind);
      }
      uncached += whole(usage, "uncached");
      output += whole(usage, "output");
      cost = cost.add(decimal(spent, "cost"));
      money = money.add(decimal(spent, "money"));
      priced = priced && spent.has("money");
    }

    private static long whole(JsonObject object, String name) {
      return decimal(object, name).longValue();
    }

    private static BigDecimal decimal(JsonObject object, String name) {
      return object.find(name).orElse(null) instanceof JsonNumber number
          ? number.decimal()
          : BigDecimal.ZERO;
    }

    private static JsonNumber number(BigDecimal value) {
      return new JsonNumber(value.toPlainString());
    }

    JsonObject write() {
      boolean known = priced && answered > 0;
      return JsonObject.builder()
          .put("requests", requests)
          .put("answered", answered)
          .put("since", ResponseForms.orNull(since))
          .put("input_tokens", input)
          .put("cache_read", read)
          .put("cache_write", write)
          .put("uncached", uncached)
          .put("output_tokens", output)
          .put("cost", number(cost))
          .put("cost_unit", "plain_input_tokens")
          .put("money", known ? number(money) : ResponseForms.NULL)
          .put("currency", ResponseForms.orNull(currency))
          .build();
    }
  }
}

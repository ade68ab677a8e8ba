package dev.contexture.engine.ledger;

import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelProfile;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.ProviderRequest;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/** Computes how long caches live, and how long they should. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CacheLife {
  private static final Duration SHORT = Duration.ofMinutes(5);
  private static final Duration LONG = Duration.ofHours(1);

  private CacheLife() {}

  /** How long the caches of a request live: as its last mark asks, or as the model's caches do. */
  public static Duration of(ModelProfile profile, ProviderRequest request) {
    Optional<String> ttl =
        request.blocks().reversed().stream().flatMap(block -> block.mark().stream()).findFirst();
    if (ttl.isPresent()) {
      String text = ttl.get();
      long amount = Long.parseLong(text.substring(0, text.length() - 1));
      return text.endsWith("h") ? Duration.ofHours(amount) : Duration.ofMinutes(amount);
    }
    int idle = profile.cache().idleSeconds();
    return idle == 0 ? SHORT : Duration.ofSeconds(idle);
  }

  /**
   * A longer life pays where requests come later than the short one lasts, and more is read than
   * written: what the simulator finds for a steady pace.
   */
  static CachePolicy.Life suiting(Duration gap, LedgerRecord last, CacheRules rules) {
    if (gap.compareTo(SHORT) < 0 || gap.compareTo(LONG) > 0) {
      return CachePolicy.Life.SHORT;
    }
    CacheRules.Multipliers prices = rules.multipliers();
    long added = last.added();
    long kept = last.tokens(0) - added;
    double withLong = prices.read() * kept + prices.write1h() * added;
    double withShort = prices.write5m() * (kept + added);
    return withLong < withShort ? CachePolicy.Life.LONG : CachePolicy.Life.SHORT;
  }
}

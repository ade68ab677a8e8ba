package dev.contexture.cli.output;

import dev.contexture.model.ModelPrice;
import dev.contexture.simulator.CacheReport;
import dev.contexture.simulator.CacheUse;
import java.util.Locale;
import java.util.Optional;

/** Says what requests cost, beside the tokens. */
public final class MoneyLine {
  private MoneyLine() {}

  /** What was written again, because a compaction or another change came before it. */
  public static String rewritten(CacheReport report) {
    return String.format(
        Locale.ROOT,
        "written again after compactions and other changes: %d tokens, which cost %.1f more",
        report.rewritten(),
        report.rewriteCost());
  }

  /** The costs in money; empty where the price of the model is not known. */
  public static Optional<String> of(CacheReport report) {
    return report.price() == null
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "input %.4f %s; without cache %.4f, written again %.4f; %s %s per million tokens",
                report.money(CacheUse::cost).orElse(0),
                ModelPrice.CURRENCY,
                report.money(CacheUse::costNoCache).orElse(0),
                report.money(CacheUse::rewriteCost).orElse(0),
                report.price().input().toPlainString(),
                ModelPrice.CURRENCY));
  }
}

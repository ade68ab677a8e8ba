package dev.contexture.engine.ledger;

import dev.contexture.model.CacheRules;

/**
 * The price of a change to something that was sent, in plain input tokens.
 *
 * @param extra what the next request costs more
 * @param savingPerCall what each one after it costs less
 */
record EditPrice(double extra, double savingPerCall) {
  /**
   * The price of one edit.
   *
   * @param removed tokens that go
   * @param inserted tokens that come in their place
   * @param behind tokens behind them that stay
   * @param warm whether the cache is still there
   */
  static EditPrice of(
      CacheRules.Multipliers prices, long removed, long inserted, long behind, boolean warm) {
    double written = prices.writeShort() * (inserted + behind);
    double read = prices.read() * (removed + behind);
    double extra = written - read;
    return new EditPrice(warm ? extra : Math.min(0, extra), prices.read() * (removed - inserted));
  }

  /** After how many calls it pays; infinite if it never does. */
  double breakEvenCalls() {
    if (extra <= 0) {
      return 0;
    }
    return savingPerCall <= 0 ? Double.POSITIVE_INFINITY : extra / savingPerCall;
  }
}

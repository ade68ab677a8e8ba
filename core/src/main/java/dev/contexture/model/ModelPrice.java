package dev.contexture.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The price of a model's tokens, in {@link #CURRENCY} for a million of them. What a cache reads and
 * writes costs a share of the input price: see {@link CacheRules.Multipliers}.
 *
 * @param from the first day on which it holds; null: it always did
 * @param to the first day on which it no longer holds; null: it still does
 * @param input a million tokens of plain input
 * @param output a million tokens of output
 * @param tiers what longer requests cost, the shortest first
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ModelPrice(
    @Nullable LocalDate from,
    @Nullable LocalDate to,
    BigDecimal input,
    BigDecimal output,
    List<Tier> tiers) {
  /** The currency of all prices. */
  public static final String CURRENCY = "USD";

  /** In how many tokens prices are given. */
  public static final int UNIT_TOKENS = 1_000_000;

  public ModelPrice {
    tiers = List.copyOf(tiers);
  }

  /**
   * A price of its own for requests above a length.
   *
   * @param aboveInputTokens the length: all tokens of input, cached ones too
   * @param inputFactor by how much input is dearer
   * @param outputFactor by how much output is dearer
   */
  public record Tier(int aboveInputTokens, BigDecimal inputFactor, BigDecimal outputFactor) {}

  /** Whether it holds at that time. */
  public boolean holdsAt(Instant time) {
    LocalDate day = LocalDate.ofInstant(time, ZoneOffset.UTC);
    return (from == null || !day.isBefore(from)) && (to == null || day.isBefore(to));
  }

  /**
   * The price of input.
   *
   * @param plainTokens what it costs in plain input tokens: cached ones count by their share
   * @param inputTokens all tokens of the request, by which its tier is found
   */
  public double inputCost(double plainTokens, long inputTokens) {
    return plainTokens
        * input.multiply(tier(inputTokens).inputFactor()).doubleValue()
        / UNIT_TOKENS;
  }

  /**
   * The price of output.
   *
   * @param inputTokens all tokens of the request, by which its tier is found
   */
  public double outputCost(long outputTokens, long inputTokens) {
    return outputTokens
        * output.multiply(tier(inputTokens).outputFactor()).doubleValue()
        / UNIT_TOKENS;
  }

  private Tier tier(long inputTokens) {
    Tier reached = new Tier(0, BigDecimal.ONE, BigDecimal.ONE);
    for (Tier tier : tiers) {
      if (inputTokens > tier.aboveInputTokens()) {
        reached = tier;
      }
    }
    return reached;
  }
}

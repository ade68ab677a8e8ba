package dev.contexture.compaction;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Settings that decide when a context is compacted and how much of it stays. Immutable; a preset is
 * a set of settings, and each can be set alone.
 *
 * @param triggerRatio the share of the budget above which a context is due, in (0, 1]
 * @param keepRatio the share of the budget that recent blocks may keep, in (0, 1]
 * @param keepRecentTurns newest turns that stay whole where the budget allows it; 0: none
 * @param keepRecentRounds newest rounds of the active turn that stay verbatim; 0: none
 * @param summaryRatio the share of the budget that a summary may have, in (0, 1]; never more than
 *     8,000 tokens, and at least 400 where that is at most a quarter of the budget
 * @param freeRatio the share of the limit that is free after a compaction, unless what is protected
 *     alone forbids it, in [0, 1)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompactionPolicy(
    BigDecimal triggerRatio,
    BigDecimal keepRatio,
    int keepRecentTurns,
    int keepRecentRounds,
    BigDecimal summaryRatio,
    BigDecimal freeRatio) {

  /**
   * Keeps a fifth of the budget and lets the summary have room for what the user said; the default.
   */
  public static final CompactionPolicy BALANCED = preset("0.20", 0, "0.29", "0.34");

  /** Keeps most of the recent conversation. */
  public static final CompactionPolicy STANDARD = preset("0.7", 6, "0.10", "0");

  /**
   * Keeps little beside the newest rounds and lets the summary say what was there: what is kept is
   * written into the provider's cache again, at a higher price, after every compaction.
   */
  public static final CompactionPolicy ECONOMICAL = preset("0.05", 0, "0.20", "0.34");

  /** The preset that is used where none is named. */
  public static final CompactionPolicy DEFAULT = BALANCED;

  private static final Map<String, CompactionPolicy> PRESETS = presets();

  /**
   * @throws ContextureException {@code invalid_config} if a setting is outside its range
   */
  public CompactionPolicy {
    checkRatio("trigger_ratio", triggerRatio);
    checkRatio("keep_ratio", keepRatio);
    checkAtLeast("keep_recent_turns", keepRecentTurns, 0);
    checkAtLeast("keep_recent_rounds", keepRecentRounds, 0);
    checkRatio("summary_ratio", summaryRatio);
    if (freeRatio.signum() < 0 || freeRatio.compareTo(BigDecimal.ONE) >= 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "free_ratio", freeRatio, "a number in [0, 1)");
    }
  }

  private static CompactionPolicy preset(String keep, int turns, String summary, String free) {
    return new CompactionPolicy(
        new BigDecimal("0.9"),
        new BigDecimal(keep),
        turns,
        2,
        new BigDecimal(summary),
        new BigDecimal(free));
  }

  /**
   * The preset of this name.
   *
   * @throws ContextureException {@code invalid_config} if there is none
   */
  public static CompactionPolicy named(String name) {
    return find(name)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_CONFIG, "policy", name, Choices.inWords(names())));
  }

  /** The preset of this name, if there is one. */
  public static Optional<CompactionPolicy> find(String name) {
    return Optional.ofNullable(PRESETS.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The names of the presets; the default first. */
  public static List<String> names() {
    return List.copyOf(PRESETS.keySet());
  }

  private static Map<String, CompactionPolicy> presets() {
    Map<String, CompactionPolicy> presets = new LinkedHashMap<>();
    presets.put("balanced", BALANCED);
    presets.put("standard", STANDARD);
    presets.put("economical", ECONOMICAL);
    return presets;
  }

  public CompactionPolicy withTriggerRatio(BigDecimal ratio) {
    return new CompactionPolicy(
        ratio, keepRatio, keepRecentTurns, keepRecentRounds, summaryRatio, freeRatio);
  }

  public CompactionPolicy withKeepRatio(BigDecimal ratio) {
    return new CompactionPolicy(
        triggerRatio, ratio, keepRecentTurns, keepRecentRounds, summaryRatio, freeRatio);
  }

  public CompactionPolicy withKeepRecentTurns(int turns) {
    return new CompactionPolicy(
        triggerRatio, keepRatio, turns, keepRecentRounds, summaryRatio, freeRatio);
  }

  public CompactionPolicy withKeepRecentRounds(int rounds) {
    return new CompactionPolicy(
        triggerRatio, keepRatio, keepRecentTurns, rounds, summaryRatio, freeRatio);
  }

  public CompactionPolicy withSummaryRatio(BigDecimal ratio) {
    return new CompactionPolicy(
        triggerRatio, keepRatio, keepRecentTurns, keepRecentRounds, ratio, freeRatio);
  }

  public CompactionPolicy withFreeRatio(BigDecimal ratio) {
    return new CompactionPolicy(
        triggerRatio, keepRatio, keepRecentTurns, keepRecentRounds, summaryRatio, ratio);
  }

  private static void checkRatio(String field, BigDecimal ratio) {
    if (ratio.signum() <= 0 || ratio.compareTo(BigDecimal.ONE) > 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, field, ratio, "a number in (0, 1]");
    }
  }

  private static void checkAtLeast(String field, long value, long least) {
    if (value < least) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, field, value, "a number from " + least);
    }
  }
}

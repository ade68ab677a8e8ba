package dev.contexture.timeline;

import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A limit on the turns after the newest summary that are loaded. The active turn always is.
 *
 * @param turns the newest so many; empty: all
 * @param days those not older; empty: all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TurnLimit(OptionalInt turns, OptionalInt days) {
  public static final TurnLimit NONE = new TurnLimit(OptionalInt.empty(), OptionalInt.empty());

  public TurnLimit {
    check("limit", turns, 0);
    check("days", days, 1);
  }

  private static void check(String field, OptionalInt value, int least) {
    if (value.isPresent() && value.getAsInt() < least) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, field, value.getAsInt(), "a number from " + least);
    }
  }

  /** The timeline without the turns that are left out. */
  public Timeline apply(Timeline timeline, Instant now) {
    Set<TurnId> omitted = omitted(timeline, now);
    return omitted.isEmpty() ? timeline : timeline.withOmittedTurns(omitted);
  }

  /** The turns that are left out, to be counted and still readable. */
  public Set<TurnId> omitted(Timeline timeline, Instant now) {
    if (equals(NONE)) {
      return Set.of();
    }
    Map<TurnId, Instant> starts = new LinkedHashMap<>();
    for (TimelineEntry entry : timeline.window().entries()) {
      if (!timeline.isActive(entry.turn())) {
        starts.putIfAbsent(entry.turn(), entry.block().ts().orElse(now));
      }
    }
    Set<TurnId> omitted = new HashSet<>();
    int left = turns.isPresent() ? starts.size() - turns.getAsInt() : 0;
    for (Map.Entry<TurnId, Instant> turn : starts.entrySet()) {
      if (left-- > 0 || isTooOld(turn.getValue(), now)) {
        omitted.add(turn.getKey());
      }
    }
    return omitted;
  }

  /** How many turns behind the newest summary a timeline leaves out of its window. */
  public static int omittedTurns(Timeline timeline) {
    if (timeline.omittedTurns().isEmpty()) {
      return 0;
    }
    return (int)
        timeline.withOmittedTurns(Set.of()).window().entries().stream()
            .map(TimelineEntry::turn)
            .distinct()
            .filter(timeline.omittedTurns()::contains)
            .count();
  }

  private boolean isTooOld(Instant start, Instant now) {
    return days.isPresent() && start.isBefore(now.minus(Duration.ofDays(days.getAsInt())));
  }
}

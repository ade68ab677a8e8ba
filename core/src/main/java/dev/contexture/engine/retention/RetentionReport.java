package dev.contexture.engine.retention;

import dev.contexture.block.Scope;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A report of what is older or more than the retention rules allow.
 *
 * @param dryRun whether it is all still there
 * @param counts how many of each kind
 * @param conversations those of them that were first found, at most {@link #SHOWN}
 * @param pending whether copies may still be in files that somebody else reads; they go by
 *     themselves
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RetentionReport(
    boolean dryRun,
    Map<RetentionRules.Kind, Long> counts,
    List<Outlived> conversations,
    boolean pending) {
  /** The most conversations that a report names; all are counted. */
  public static final int SHOWN = 1_000;

  /** A conversation that outlived the rules. */
  public record Outlived(Scope.OfConversation conversation, Instant lastActivityAt) {}

  public RetentionReport {
    EnumMap<RetentionRules.Kind, Long> all = new EnumMap<>(RetentionRules.Kind.class);
    all.putAll(counts);
    counts = Collections.unmodifiableMap(all);
    conversations = List.copyOf(conversations);
  }

  /** How many of a kind outlived the rules. */
  public long count(RetentionRules.Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** Whether nothing did. */
  public boolean isEmpty() {
    return counts.values().stream().allMatch(count -> count == 0);
  }
}

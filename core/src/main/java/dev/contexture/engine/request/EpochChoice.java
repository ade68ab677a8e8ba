package dev.contexture.engine.request;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelProfile;
import dev.contexture.prompt.EpochState;
import dev.contexture.store.EpochRow;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether the epoch of an agent goes on.
 *
 * @param number of the epoch that the request belongs to
 * @param cause why it begins here; null: it goes on
 * @param state what is repeated; null: it begins here
 */
record EpochChoice(long number, @Nullable String cause, @Nullable EpochState state) {
  /** The member of an ended epoch's state that says why. */
  static final String ENDED = "ended";

  private static final Duration UNKNOWN_LIFE = Duration.ofMinutes(5);

  /** The basis of a request at this moment. */
  record Now(EpochState.Basis basis, Set<String> reach, Instant at, Duration cacheLife) {}

  /** The next epoch, for a reason that only building shows. */
  EpochChoice next(String why) {
    return state == null ? this : new EpochChoice(number + 1, why, null);
  }

  static EpochChoice of(@Nullable EpochRow stored, Now now) {
    if (stored == null) {
      return new EpochChoice(1, "first", null);
    }
    JsonObject kept = stored.state();
    String ended = kept.isEmpty() ? "block_erased" : kept.string(ENDED).orElse(null);
    EpochState state = ended == null ? EpochState.fromJson(kept) : null;
    String cause = state == null ? ended : cause(state, stored.builtAt(), now);
    return cause == null
        ? new EpochChoice(stored.number(), null, state)
        : new EpochChoice(stored.number() + 1, cause, null);
  }

  private static @Nullable String cause(EpochState state, Instant builtAt, Now now) {
    if (!now.reach.containsAll(state.shownIds())) {
      return "access_lost";
    }
    EpochState.Basis then = state.basis();
    if (!then.lost().containsAll(now.basis.lost())) {
      return "access_lost";
    }
    if (!Collections.disjoint(then.lost(), now.reach)) {
      return "access_regained";
    }
    if (!then.model().equals(now.basis.model())) {
      return "model_changed";
    }
    if (!then.tools().equals(now.basis.tools())) {
      return "tools_changed";
    }
    if (!then.history().equals(now.basis.history())) {
      return "compaction";
    }
    boolean cold = Duration.between(builtAt, now.at).compareTo(now.cacheLife) > 0;
    return cold ? "cold_cache" : null;
  }

  /** What stands for the older part of a conversation: the same after a restart. */
  static String history(Timeline timeline) {
    Summary summary = timeline.openingSummary().orElse(null);
    long cut = summary == null ? 0 : summary.cutSeq();
    String archived =
        timeline.archived().stream()
            .filter(range -> range.toSeq() >= cut)
            .max(Comparator.comparingLong(ArchivedRange::toSeq))
            .map(ArchivedRange::id)
            .orElse("");
    return (summary == null ? "" : summary.id()) + "|" + archived;
  }

  /** How long a prompt cache of a model lives that nobody uses, if its marks do not say. */
  static Duration cacheLife(@Nullable ModelProfile profile) {
    if (profile == null) {
      return UNKNOWN_LIFE;
    }
    List<String> lives = profile.cache().ttl();
    if (!lives.isEmpty()) {
      return Duration.parse("PT" + lives.getFirst().toUpperCase(Locale.ROOT));
    }
    int idle = profile.cache().idleSeconds();
    return idle > 0 ? Duration.ofSeconds(idle) : UNKNOWN_LIFE;
  }
}

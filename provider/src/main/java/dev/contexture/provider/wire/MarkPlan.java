package dev.contexture.provider.wire;

import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.WireFinding;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.LedgerView;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Chooses the blocks that are marked. Confined to one thread.
 *
 * <p>1. What the request is for says which points count: of a one-shot only the system, of a fork
 * those of the conversation it leaves. 2. A point below the model's minimum goes. 3. The others
 * move back to a block that can be marked; one that would jump over an earlier mark goes, one that
 * meets it joins it. 4. Where marks are found from a distance, the deepest mark of the last request
 * is marked again if no chosen one finds it. 5. Of too many marks the least worth goes. 6. Where
 * marks are found only in place, those of the last request stay.
 */
final class MarkPlan {
  private static final String ONE_HOUR = "1h";
  private static final int WITHOUT_LEDGER = 15;
  private static final Set<String> RUNS = Set.of("tool_use", "tool_result");

  /**
   * A wish for a mark.
   *
   * @param block index of the block it sits on
   * @param tokens low estimate up to there, or {@link PointPlace#UNKNOWN_TOKENS}
   */
  record Wish(Point point, int block, long tokens) {}

  /** A wish that is granted, on this block. */
  record Choice(Point point, int block) {}

  private final MarkableBlocks blocks;
  private final ModelProfile profile;
  private final CacheRules rules;
  private final CachePolicy policy;
  private final LedgerView last;
  private final int shared;
  private final int slots;
  private final List<WireFinding> findings;

  MarkPlan(
      MarkableBlocks blocks,
      ModelProfile profile,
      RequestInput input,
      int shared,
      int slots,
      List<WireFinding> findings) {
    this.blocks = blocks;
    this.profile = profile;
    this.rules = profile.cache();
    this.policy = input.cache();
    this.last = input.last();
    this.shared = shared;
    this.slots = slots;
    this.findings = findings;
  }

  /** The life that is asked for; the model's own, or another one, where there is no choice. */
  static String ttl(
      RequestInput input, ModelProfile profile, RequestBlock.Tier tier, String otherwise) {
    List<String> lives = profile.cache().ttl();
    CachePolicy.Life wanted =
        tier == RequestBlock.Tier.MESSAGES
            ? input.cache().messageLife()
            : input.cache().systemLife();
    boolean hour = wanted == CachePolicy.Life.LONG && lives.contains(ONE_HOUR);
    return hour ? ONE_HOUR : lives.isEmpty() ? otherwise : lives.get(0);
  }

  /** The marks, in the order of the blocks. */
  List<Choice> choose(List<Wish> wishes) {
    List<Choice> chosen = new ArrayList<>();
    wanted(wishes).stream()
        .sorted(Comparator.comparingInt(Wish::block))
        .forEach(wish -> add(wish, chosen));
    if (policy.intent() == CachePolicy.Intent.LOOP) {
      anchor(chosen);
    }
    while (chosen.size() > slots) {
      Choice least = chosen.stream().max(Comparator.comparing(Choice::point)).orElseThrow();
      chosen.remove(least);
      dropped(least.point(), "slot", "there are " + slots + " marks");
    }
    if (rules.mode() == CacheRules.Mode.BREAKPOINT) {
      keepEarlier(chosen);
    }
    chosen.sort(Comparator.comparingInt(Choice::block));
    return chosen;
  }

  private List<Wish> wanted(List<Wish> wishes) {
    return switch (policy.intent()) {
      case ONE_SHOT -> wishes.stream().filter(wish -> wish.point() == Point.SYSTEM).toList();
      case FORK -> earlier();
      case LAST -> {
        List<Wish> wanted = new ArrayList<>(last.live() ? earlier() : List.of());
        wishes.stream().filter(wish -> wish.point() == Point.SYSTEM).forEach(wanted::add);
        yield wanted;
      }
      case LOOP ->
          switch (policy.placement()) {
            case POINTS, ANCHORED -> wishes.stream().map(this::beforeThinking).toList();
            case SPACED -> spaced(wishes);
          };
    };
  }

  /** What the last request marked and this one repeats. */
  private List<Wish> earlier() {
    return last.marks().stream()
        .filter(block -> block < shared)
        .map(block -> new Wish(Point.ANCHOR, block, PointPlace.UNKNOWN_TOKENS))
        .toList();
  }

  /** System and tail, and as many marks before the tail as one read reaches from the next. */
  private List<Wish> spaced(List<Wish> wishes) {
    List<Wish> wanted = new ArrayList<>();
    for (Wish wish : wishes) {
      if (wish.point() == Point.SYSTEM || wish.point() == Point.TAIL) {
        wanted.add(wish);
      }
      int reach = rules.lookback().map(CacheRules.Lookback::limit).orElse(0) - 1;
      if (wish.point() == Point.TAIL && reach > 0) {
        for (int at = wish.block() - reach; at > 0 && wanted.size() < slots; at -= reach) {
          wanted.add(new Wish(Point.ANCHOR, at, PointPlace.UNKNOWN_TOKENS));
        }
      }
    }
    return wanted;
  }

  /**
   * The provider takes thinking of ended turns out, so that what follows its first is another text
   * than was cached.
   */
  private Wish beforeThinking(Wish wish) {
    if (wish.point() != Point.PREV_TURN || !profile.has(ModelFlag.STRIPS_PRIOR_THINKING)) {
      return wish;
    }
    int first = wish.block() + 1;
    for (int at = wish.block(); at >= 0; at--) {
      RequestBlock block = blocks.get(at);
      if (block.opaque()) {
        first = at;
      } else if (block.role().equals("user") && block.kind().equals("text")) {
        break;
      }
    }
    if (first > wish.block()) {
      return wish;
    }
    findings.add(
        new WireFinding(
            "thinking_stripped", "", "the provider leaves out the thinking of the ended turn"));
    return new Wish(wish.point(), first - 1, PointPlace.UNKNOWN_TOKENS);
  }

  private void add(Wish wish, List<Choice> chosen) {
    if (wish.tokens() >= 0 && wish.tokens() < rules.minTokens()) {
      dropped(
          wish.point(),
          "below_minimum",
          wish.tokens() + " tokens up to it, the model caches from " + rules.minTokens());
      return;
    }
    int block = blocks.markableAtOrBefore(wish.block());
    int before = chosen.isEmpty() ? -1 : chosen.getLast().block();
    if (block < 0 || block < before) {
      dropped(wish.point(), "no_place", "no block before it can be marked");
    } else if (block == before) {
      if (wish.point().compareTo(chosen.getLast().point()) < 0) {
        chosen.set(chosen.size() - 1, new Choice(wish.point(), block));
      }
      dropped(wish.point(), "same_block", "the block is marked already");
    } else {
      chosen.add(new Choice(wish.point(), block));
      if (block != wish.block()) {
        String name = wish.point().wireName();
        findings.add(
            new WireFinding("point_moved", "", name + " moved back to a block that takes it"));
      }
    }
  }

  /** Makes sure that the deepest mark of the last request is found. */
  private void anchor(List<Choice> chosen) {
    int reach = rules.lookback().map(CacheRules.Lookback::limit).orElse(0);
    if (policy.placement() != CachePolicy.Placement.ANCHORED || reach == 0 || chosen.isEmpty()) {
      return;
    }
    if (last.isEmpty()) {
      steps(chosen);
      return;
    }
    int deepest = last.marks().stream().filter(block -> block < shared).reduce(-1, Math::max);
    if (deepest < 0 || !last.live()) {
      return;
    }
    boolean found =
        chosen.stream()
            .anyMatch(
                choice ->
                    choice.block() >= deepest && distance(deepest, choice.block(), reach) < reach);
    if (!found) {
      chosen.add(new Choice(Point.ANCHOR, deepest));
    }
  }

  /** Nothing is known of the last request: marks at steps that a read surely reaches. */
  private void steps(List<Choice> chosen) {
    int at = chosen.getLast().block();
    while (chosen.size() < slots) {
      int next = back(at, WITHOUT_LEDGER);
      int block = next < 0 ? -1 : blocks.markableAtOrBefore(next);
      if (block <= chosen.getFirst().block()) {
        return;
      }
      int place = block;
      if (chosen.stream().noneMatch(choice -> choice.block() == place)) {
        chosen.add(chosen.size() - 1, new Choice(Point.ANCHOR, block));
      }
      at = block;
    }
  }

  /** How many positions one block is behind another; at most a given number. */
  private int distance(int from, int to, int most) {
    int positions = 0;
    for (int at = to; at > from && positions < most; at--) {
      positions += sharesPosition(at) ? 0 : 1;
    }
    return positions;
  }

  /** The block that is so many positions before another; -1 if there are not as many. */
  private int back(int from, int positions) {
    int left = positions;
    int at = from;
    while (at >= 0 && left > 0) {
      left -= sharesPosition(at) ? 0 : 1;
      at--;
    }
    return at;
  }

  /** Whether the block before it is of the same run, which is one position. */
  private boolean sharesPosition(int block) {
    boolean runs = rules.lookback().map(reach -> reach.unit().equals("position")).orElse(false);
    return runs
        && block > 0
        && RUNS.contains(blocks.get(block).kind())
        && blocks.get(block).kind().equals(blocks.get(block - 1).kind());
  }

  /** A mark that is read only where it stands is set again. */
  private void keepEarlier(List<Choice> chosen) {
    for (int block : last.marks().reversed()) {
      boolean known = chosen.stream().anyMatch(choice -> choice.block() == block);
      if (block < shared && !known && chosen.size() < rules.maxMarks()) {
        chosen.add(new Choice(Point.ANCHOR, block));
      }
    }
  }

  private void dropped(Point point, String reason, String why) {
    findings.add(
        new WireFinding("point_dropped", "", point.wireName() + " " + reason + ": " + why));
  }
}

package dev.contexture.provider.request;

import dev.contexture.model.Finding;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the blocks that are marked (P-24, P-27, P-28). Confined to one thread.
 *
 * <p>1. A point below the model's minimum goes. 2. The others move back to a block that can be
 * marked; one that would jump over an earlier mark goes, one that meets it joins it. 3. Of too many
 * marks the least worth goes.
 */
final class MarkPlan {
  /**
   * A wish for a mark.
   *
   * @param block index of the block it sits on
   * @param tokens low estimate up to there, or {@link PointPlace#UNKNOWN_TOKENS}
   */
  record Wish(Point point, int block, long tokens) {}

  /** A wish that is granted, on this block. */
  record Choice(Point point, int block) {}

  private final Blocks blocks;
  private final int minTokens;
  private final int slots;
  private final List<Finding> findings;

  MarkPlan(Blocks blocks, int minTokens, int slots, List<Finding> findings) {
    this.blocks = blocks;
    this.minTokens = minTokens;
    this.slots = slots;
    this.findings = findings;
  }

  List<Choice> choose(List<Wish> wishes) {
    List<Choice> chosen = new ArrayList<>();
    wishes.stream().sorted(Comparator.comparingInt(Wish::block)).forEach(wish -> add(wish, chosen));
    while (chosen.size() > slots) {
      Choice least = chosen.stream().max(Comparator.comparing(Choice::point)).orElseThrow();
      chosen.remove(least);
      dropped(least.point(), "slot", "there are " + slots + " marks");
    }
    return chosen;
  }

  private void add(Wish wish, List<Choice> chosen) {
    if (wish.tokens() >= 0 && wish.tokens() < minTokens) {
      dropped(
          wish.point(),
          "below-minimum",
          wish.tokens() + " tokens up to it, the model caches from " + minTokens);
      return;
    }
    int block = blocks.markableAtOrBefore(wish.block());
    int before = chosen.isEmpty() ? -1 : chosen.getLast().block();
    if (block < 0 || block < before) {
      dropped(wish.point(), "no-place", "no block before it can be marked");
    } else if (block == before) {
      dropped(wish.point(), "same-block", "the block is marked already");
    } else {
      chosen.add(new Choice(wish.point(), block));
      if (block != wish.block()) {
        String name = wish.point().wireName();
        findings.add(new Finding("point-moved", "", name + " moved back to a block that takes it"));
      }
    }
  }

  private void dropped(Point point, String reason, String why) {
    findings.add(new Finding("point-dropped", "", point.wireName() + " " + reason + ": " + why));
  }
}

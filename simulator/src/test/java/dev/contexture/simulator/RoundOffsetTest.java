package dev.contexture.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.simulator.SentBlock.Tier;
import dev.contexture.simulator.SentBlock.Ttl;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** P-49 for the k of P-20. */
class RoundOffsetTest {
  private static SentBlock block(String role, String kind, int number) {
    return SentBlock.of(Tier.MESSAGES, kind, role + " " + kind + number, 100);
  }

  /** System, prompt, and rounds of one call; marked at system, round N-4 and the end. */
  private static SentRequest rounds(int count, int ofLast) {
    List<SentBlock> blocks = new ArrayList<>();
    blocks.add(SentBlock.of(Tier.SYSTEM, "text", "system", 2_000).marked(Ttl.FIVE_MINUTES));
    blocks.add(block("user", "text", 0));
    for (int i = 1; i <= count; i++) {
      blocks.add(block("assistant", "tool_use", i));
      blocks.add(block("user", "tool_result", i));
    }
    for (int i = 1; i < ofLast; i++) {
      blocks.add(blocks.size() - 1 - (i - 1), block("assistant", "tool_use", count + i));
      blocks.add(block("user", "tool_result", count + i));
    }
    int before = blocks.size() - 1 - 8;
    if (ofLast == 1 && count > 4) {
      blocks.set(before, blocks.get(before).marked(Ttl.FIVE_MINUTES));
    }
    blocks.set(blocks.size() - 1, blocks.getLast().marked(Ttl.FIVE_MINUTES));
    return SentRequest.at(0, blocks);
  }

  private static List<Integer> marks(SentRequest request) {
    return IntStream.range(0, request.blocks().size())
        .filter(i -> request.blocks().get(i).mark().isPresent())
        .boxed()
        .toList();
  }

  @Test
  void movesTheMarkOfRoundNMinusFour() {
    SentRequest sent = rounds(8, 1);
    assertThat(marks(sent)).containsExactly(0, 9, 17);
    assertThat(marks(RoundOffset.move(sent, 4, 4))).containsExactly(0, 9, 17);
    assertThat(marks(RoundOffset.move(sent, 4, 2))).containsExactly(0, 13, 17);
    assertThat(marks(RoundOffset.move(sent, 4, 7))).containsExactly(0, 3, 17);
    assertThat(marks(RoundOffset.move(sent, 4, 8))).as("the first round").containsExactly(0, 3, 17);
  }

  @Test
  void neverSplitsCallsThatBelongTogether() {
    SentRequest sent = rounds(3, 3); // the last round has three calls
    assertThat(sent.blocks()).hasSize(12);
    assertThat(marks(RoundOffset.move(sent, 4, 1)))
        .as("before the group")
        .containsExactly(0, 5, 11);
  }

  @Test
  void leavesRequestsWithoutMarksAlone() {
    SentRequest plain = SentRequest.at(0, List.of(block("user", "text", 0)));
    assertThat(RoundOffset.move(plain, 4, 2)).isSameAs(plain);
  }
}

package dev.contexture.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.contexture.model.ModelPrice;
import dev.contexture.simulator.SentBlock.Tier;
import dev.contexture.simulator.SentBlock.Ttl;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The vectors of P-46, and what they leave open. */
class CacheSimulatorTest {
  private static final CacheModel CLAUDE = CacheModel.explicit(512);

  private static SentBlock system(long tokens) {
    return SentBlock.of(Tier.SYSTEM, "text", "system of " + tokens, tokens);
  }

  private static SentBlock said(int number, long tokens) {
    return SentBlock.of(Tier.MESSAGES, "text", "message " + number, tokens);
  }

  /** 2,000 tokens of system and blocks of 100, with marks at the system and some blocks. */
  private static SentRequest chat(double start, int blocks, int... marks) {
    List<SentBlock> all = new ArrayList<>();
    all.add(system(2_000).marked(Ttl.FIVE_MINUTES));
    for (int i = 1; i <= blocks; i++) {
      int number = i;
      SentBlock block = said(number, 100);
      boolean marked = Arrays.stream(marks).anyMatch(mark -> mark == number);
      all.add(marked ? block.marked(Ttl.FIVE_MINUTES) : block);
    }
    return SentRequest.at(start, all);
  }

  private static CacheUse second(CacheModel model, SentRequest... requests) {
    return CacheSimulator.simulate(model, List.of(requests)).requests().getLast();
  }

  private static void expect(CacheUse use, long read, long write, long uncached, double cost) {
    assertThat(use.read()).as("read").isEqualTo(read);
    assertThat(use.write5m() + use.write1h() + use.write()).as("write").isEqualTo(write);
    assertThat(use.uncached()).as("uncached").isEqualTo(uncached);
    assertThat(use.cost()).as("cost").isCloseTo(cost, within(0.05));
  }

  @Test
  void vector1ReadsWhatTheRequestBeforeWrote() {
    CacheReport report = CacheSimulator.simulate(CLAUDE, List.of(chat(0, 4, 4), chat(60, 8, 8)));
    expect(report.requests().getFirst(), 0, 2_400, 0, 3_000);
    expect(report.requests().getLast(), 2_400, 400, 0, 740);
    assertThat(report.requests().getFirst().miss())
        .hasValueSatisfying(
            miss -> assertThat(miss.cause()).isEqualTo(CacheUse.Cause.FIRST_REQUEST));
    assertThat(report.requests().getLast().miss()).isEmpty();
  }

  @Test
  void vector2NeedsAnAnchorBeyondTheLookback() {
    CacheUse without = second(CLAUDE, chat(0, 4, 4), chat(60, 34, 34));
    expect(without, 2_000, 3_400, 0, 4_450);
    CacheUse.Miss miss = without.miss().orElseThrow();
    assertThat(miss.cause()).isEqualTo(CacheUse.Cause.LOOKBACK);
    assertThat(miss.tokensLost()).isEqualTo(400);
    assertThat(miss.block()).isEqualTo(1);
    expect(second(CLAUDE, chat(0, 4, 4), chat(60, 34, 4, 34)), 2_400, 3_000, 0, 3_990);
  }

  @Test
  void vector3CountsTheMarkedPositionAsTheFirst() {
    expect(second(CLAUDE, chat(0, 4, 4), chat(60, 23, 23)), 2_400, 1_900, 0, 2_615);
    expect(second(CLAUDE, chat(0, 4, 4), chat(60, 24, 24)), 2_000, 2_400, 0, 3_200);
  }

  @Test
  void vector4LetsEntriesExpireAndReadsKeepThem() {
    CacheUse late = second(CLAUDE, chat(0, 4, 4), chat(301, 8, 8));
    expect(late, 0, 2_800, 0, 3_500);
    assertThat(late.miss().orElseThrow().cause()).isEqualTo(CacheUse.Cause.EXPIRED);
    expect(second(CLAUDE, chat(0, 4, 4), chat(250, 4, 4), chat(500, 8, 8)), 2_400, 400, 0, 740);
  }

  @Test
  void vector5WritesNothingBelowTheMinimum() {
    CacheUse small = second(CacheModel.explicit(4_096), chat(0, 4, 4), chat(60, 8, 8));
    expect(small, 0, 0, 2_800, 2_800);
    assertThat(small.miss().orElseThrow().cause()).isEqualTo(CacheUse.Cause.BELOW_MINIMUM);
    assertThat(small.miss().orElseThrow().detail()).contains("2400", "4096");
  }

  @Test
  void vector6PricesTwoLives() {
    List<SentBlock> first =
        List.of(
            system(2_000).marked(Ttl.ONE_HOUR),
            said(1, 500),
            said(2, 500).marked(Ttl.FIVE_MINUTES),
            said(3, 50));
    List<SentBlock> next =
        List.of(
            system(2_000).marked(Ttl.ONE_HOUR),
            said(1, 500),
            said(2, 500),
            said(3, 50),
            said(4, 300).marked(Ttl.FIVE_MINUTES),
            said(5, 20));
    CacheReport report =
        CacheSimulator.simulate(
            CLAUDE, List.of(SentRequest.at(0, first), SentRequest.at(400, next)));
    CacheUse one = report.requests().getFirst();
    expect(one, 0, 3_000, 50, 5_300);
    assertThat(one.write1h()).isEqualTo(2_000);
    expect(report.requests().getLast(), 2_000, 1_350, 20, 1_907.5);
  }

  @Test
  void vector7CountsARunOfCallsAsOnePosition() {
    List<SentBlock> first =
        List.of(system(2_000).marked(Ttl.FIVE_MINUTES), said(1, 100).marked(Ttl.FIVE_MINUTES));
    List<SentBlock> next =
        new ArrayList<>(List.of(system(2_000).marked(Ttl.FIVE_MINUTES), said(1, 100)));
    for (int i = 0; i < 12; i++) {
      next.add(SentBlock.of(Tier.MESSAGES, "tool_use", "call " + i, 20));
    }
    for (int i = 0; i < 12; i++) {
      next.add(SentBlock.of(Tier.MESSAGES, "tool_result", "result " + i, 200));
    }
    next.set(next.size() - 1, next.getLast().marked(Ttl.FIVE_MINUTES));
    SentRequest[] both = {SentRequest.at(0, first), SentRequest.at(60, next)};
    expect(second(CLAUDE, both), 2_100, 2_640, 0, 3_510);
    expect(second(CLAUDE.countingBlocks(), both), 2_000, 2_740, 0, 3_625);
  }

  @Test
  void vector8ReadsEqualBeginningsInSteps() {
    CacheModel model = CacheModel.prefix(1_024, 128);
    SentRequest one = SentRequest.at(0, List.of(said(1, 1_500), said(2, 200)));
    SentRequest two =
        SentRequest.at(60, List.of(said(1, 1_500), said(2, 200), said(3, 90), said(4, 50)));
    CacheReport report = CacheSimulator.simulate(model, List.of(one, two));
    expect(report.requests().getFirst(), 0, 0, 1_700, 1_700);
    expect(report.requests().getLast(), 1_664, 0, 176, 342.4);
    assertThat(report.requests().getLast().miss().orElseThrow().cause())
        .isEqualTo(CacheUse.Cause.GRANULARITY);
  }

  private static SentRequest question(double start, String text, boolean marked, boolean explicit) {
    SentBlock head = marked ? system(9_000).marked(Ttl.THIRTY_MINUTES) : system(9_000);
    SentBlock asked = SentBlock.of(Tier.MESSAGES, "text", text, 40).endingMessage();
    return new SentRequest("", start, start, explicit, List.of(head, asked));
  }

  @Test
  void vector9ReadsBreakpointsExactlyWhereTheyStand() {
    CacheModel model = CacheModel.breakpoint(1_024);
    expect(
        second(model, question(0, "one", false, false), question(60, "two", false, false)),
        0,
        9_040,
        0,
        11_300);
    expect(
        second(model, question(0, "one", true, false), question(60, "two", true, false)),
        9_000,
        40,
        0,
        950);
    expect(
        second(model, question(0, "one", true, true), question(60, "two", true, true)),
        9_000,
        0,
        40,
        940);
  }

  @Test
  void namesWhatChanged() {
    List<SentBlock> before =
        List.of(
            SentBlock.of(Tier.TOOLS, "tool", "tool a", 600),
            system(2_000),
            said(1, 100).marked(Ttl.FIVE_MINUTES));
    List<SentBlock> tools = new ArrayList<>(before);
    tools.set(0, SentBlock.of(Tier.TOOLS, "tool", "tool b", 600));
    List<SentBlock> head = new ArrayList<>(before);
    head.set(1, system(2_001));
    SentRequest one = SentRequest.at(0, before);
    assertThat(second(CLAUDE, one, SentRequest.at(9, tools)).miss()).isEmpty();
    CacheUse.Miss miss = second(CLAUDE, one, SentRequest.at(9, head)).miss().orElseThrow();
    assertThat(miss.cause()).isEqualTo(CacheUse.Cause.SYSTEM_CHANGED);
    assertThat(miss.block()).isEqualTo(1);
    assertThat(miss.tokensLost()).isEqualTo(600);
    List<SentBlock> said = new ArrayList<>(before);
    said.set(2, said(2, 100).marked(Ttl.FIVE_MINUTES));
    assertThat(second(CLAUDE, one, SentRequest.at(9, said)).miss().orElseThrow().cause())
        .isEqualTo(CacheUse.Cause.MESSAGES_CHANGED);
  }

  @Test
  void readsNothingThatIsNotReadableYet() {
    SentRequest slow = chat(0, 4, 4);
    SentRequest first = new SentRequest("", 0, 5, false, slow.blocks());
    CacheUse parallel = second(CLAUDE, first, chat(1, 8, 8));
    assertThat(parallel.read()).isZero();
    assertThat(parallel.miss().orElseThrow().cause()).isEqualTo(CacheUse.Cause.NOT_READABLE_YET);
    assertThat(second(CLAUDE, first, chat(6, 8, 8)).read()).isEqualTo(2_400);
  }

  @Test
  void separatesScopes() {
    SentRequest other = chat(1, 8, 8);
    SentRequest elsewhere = new SentRequest("elsewhere", 1, 1, false, other.blocks());
    CacheUse use = second(CLAUDE, chat(0, 4, 4), elsewhere);
    assertThat(use.read()).isZero();
    assertThat(use.miss().orElseThrow().cause()).isEqualTo(CacheUse.Cause.FIRST_REQUEST);
  }

  /** A compaction keeps the end of a conversation, and has it written again behind a summary. */
  @Test
  void countsWhatACompactionWritesAgain() {
    SentRequest before = chat(0, 8, 8);
    List<SentBlock> compacted = new ArrayList<>();
    compacted.add(before.blocks().getFirst());
    compacted.add(SentBlock.of(Tier.MESSAGES, "text", "a summary", 300));
    compacted.addAll(before.blocks().subList(5, 9));
    compacted.add(said(9, 100).marked(Ttl.FIVE_MINUTES));
    CacheReport report =
        CacheSimulator.simulate(CLAUDE, List.of(before, SentRequest.at(60, compacted)));
    assertThat(report.requests().getFirst().rewritten()).isZero();
    assertThat(report.rewritten()).as("the summary, and messages 5 to 8").isEqualTo(300 + 400);
    assertThat(report.rewriteCost()).isCloseTo(400 * 1.15 + 300 * 1.25, within(0.01));
    double possible = report.costNoCache() - report.costIdeal();
    assertThat(report.efficiency())
        .as("lower than without the waste")
        .isLessThan((report.costNoCache() - report.cost()) / possible);

    CacheReport late =
        CacheSimulator.simulate(CLAUDE, List.of(before, SentRequest.at(900, compacted)));
    assertThat(late.rewritten()).as("the cache was gone anyway").isZero();
    CacheReport grown = CacheSimulator.simulate(CLAUDE, List.of(before, chat(60, 12, 12)));
    assertThat(grown.rewritten()).isZero();
  }

  @Test
  void givesCostsInMoney() {
    CacheReport report = CacheSimulator.simulate(CLAUDE, List.of(chat(0, 4, 4), chat(60, 8, 8)));
    assertThat(report.money(CacheUse::cost)).isEmpty();
    ModelPrice price =
        new ModelPrice(
            null,
            null,
            new BigDecimal("2"),
            new BigDecimal("8"),
            List.of(new ModelPrice.Tier(2_500, new BigDecimal("2"), BigDecimal.ONE)));
    assertThat(report.at(price).money(CacheUse::cost).orElseThrow())
        .as("the second request is above the tier")
        .isCloseTo(3_000 * 2 / 1e6 + 740 * 4 / 1e6, within(1e-12));
  }

  @Test
  void comparesWithTheBestPossibleCache() {
    // P-42: request 1 writes what request 2 shares, request 2 reads it and writes nothing
    CacheReport report = CacheSimulator.simulate(CLAUDE, List.of(chat(0, 4, 4), chat(60, 8, 8)));
    assertThat(report.costNoCache()).isEqualTo(5_200);
    assertThat(report.costIdeal()).isCloseTo(3_000 + 240 + 400, within(0.01));
    assertThat(report.efficiency()).isCloseTo((5_200 - 3_740) / (5_200 - 3_640.0), within(1e-9));
    assertThat(CacheSimulator.simulate(CLAUDE, List.of()).efficiency()).isEqualTo(1);
  }
}

package dev.contexture.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.memory.BlockMarkup;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** M-88, M-95 and M-134: what of memory a prompt shows. */
class MemoryPromptTest {
  private static final TokenMeter METER = TokenMeter.of(TokenCounter.CHARS4);
  private static final Instant NOW = Instant.parse("2025-01-01T00:00:00Z");
  private static final EpochState.Basis BASIS = new EpochState.Basis("m", "t", "|");

  private static PromptBlock core(String label, String content) {
    return block(label, "me", true, PromptBlock.NOT_REFERENCED, NOW, content);
  }

  private static PromptBlock pinned(String label, String content) {
    return block(label, "me", false, PromptBlock.NOT_REFERENCED, NOW, content);
  }

  private static PromptBlock referenced(String label, int place, String content) {
    return block(label, "me", false, place, NOW, content);
  }

  private static PromptBlock shared(String label, String owner, String content) {
    return block(label, owner, false, PromptBlock.NOT_REFERENCED, NOW, content);
  }

  private static PromptBlock block(
      String label, String owner, boolean core, int reference, Instant updated, String content) {
    boolean shared = !owner.equals("me");
    BlockMarkup markup = BlockMarkup.of(label, MemoryPermission.READ_WRITE, content);
    return new PromptBlock(
        "mem_" + owner + label,
        owner,
        shared,
        core,
        reference,
        updated,
        shared ? markup.sharedFrom(null, owner) : markup);
  }

  private static String lines(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "line " + i)
        .collect(Collectors.joining("\n"));
  }

  private static long cost(String text) {
    return METER.texts(List.of(text));
  }

  /** M-88: own by label, then shared by label and owner; a blank line between. */
  @Test
  void ordersBlocks() {
    List<PromptBlock> wanted =
        new ArrayList<>(
            List.of(
                core("Zeta", "z"),
                core("alpha", "a"),
                shared("b", "yves", "2"),
                shared("b", "xeno", "1"),
                shared("a", "zoe", "0"),
                pinned("c", "own")));
    Collections.shuffle(wanted, new Random(7));
    MemoryPrompt prompt = MemoryPrompt.of(wanted, 10_000, METER);
    assertThat(prompt.core())
        .isEqualTo(
            "<block:Zeta permission=\"ReadWrite\">\nz\n</block:Zeta>\n\n"
                + "<block:alpha permission=\"ReadWrite\">\na\n</block:alpha>");
    assertThat(prompt.blocks())
        .extracting(PromptBlock::name)
        .containsExactly("Zeta", "alpha", "c", "zoe/a", "xeno/b", "yves/b");
    assertThat(prompt.working())
        .startsWith("<block:c permission=\"ReadWrite\">\nown\n</block:c>\n\n<block:a ");
  }

  /** M-95: references in the given order, then pinned by newest update, then label. */
  @Test
  void givesRoomInOrder() {
    String text = "x".repeat(200);
    List<PromptBlock> wanted =
        List.of(
            block("old", "me", false, PromptBlock.NOT_REFERENCED, NOW.minusSeconds(9), text),
            pinned("b", text),
            pinned("a", text),
            referenced("second", 1, text),
            referenced("first", 0, text));
    long one =
        wanted.stream().mapToLong(block -> cost(block.markup().toString())).max().orElseThrow() + 1;
    List<List<String>> shown = new ArrayList<>();
    for (int blocks = 1; blocks <= 5; blocks++) {
      MemoryPrompt prompt = MemoryPrompt.of(wanted, blocks * one, METER);
      shown.add(prompt.blocks().stream().map(PromptBlock::name).sorted().toList());
      assertThat(prompt.dropped()).hasSize(5 - blocks);
    }
    assertThat(shown)
        .containsExactly(
            List.of("first"),
            List.of("first", "second"),
            List.of("a", "first", "second"),
            List.of("a", "b", "first", "second"),
            List.of("a", "b", "first", "old", "second"));
  }

  /** M-95: whole lines that fit, and the marker. */
  @Test
  void cutsAtLines() {
    PromptBlock block = pinned("log", lines(120));
    String expected =
        "<block:log permission=\"ReadWrite\">\n"
            + lines(40)
            + "\n[truncated: 40 of 120 lines shown; load the block to read all]\n</block:log>";
    MemoryPrompt prompt = MemoryPrompt.of(List.of(block), cost(expected), METER);
    assertThat(prompt.working()).isEqualTo(expected);
    assertThat(prompt.truncated())
        .singleElement()
        .satisfies(
            cut -> {
              assertThat(cut.id()).isEqualTo("log");
              assertThat(cut.reason()).isEqualTo(Omission.Reason.OVER_MEMORY_BUDGET);
              assertThat(cut.detail()).isEqualTo("40 of 120 lines shown");
            });
    MemoryPrompt less = MemoryPrompt.of(List.of(block), cost(expected) - 1, METER);
    assertThat(less.working()).contains("[truncated: 39 of 120").doesNotContain("line 40\n");
  }

  @Test
  void dropsWhatWouldShowLessThanThreeLinesAndStillTriesSmallerOnes() {
    PromptBlock large = referenced("large", 0, ("y".repeat(400) + "\n").repeat(10));
    PromptBlock small = pinned("small", "s");
    MemoryPrompt prompt = MemoryPrompt.of(List.of(large, small), 250, METER);
    assertThat(prompt.blocks()).extracting(PromptBlock::name).containsExactly("small");
    assertThat(prompt.dropped())
        .extracting(Omission::id, Omission::reason)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("large", Omission.Reason.OVER_MEMORY_BUDGET));
    assertThat(MemoryPrompt.of(List.of(pinned("two", lines(2))), 5, METER).working()).isEmpty();
  }

  @Test
  void showsCoreWholeAndNothingElseIfItIsTooLarge() {
    PromptBlock core = core("persona", lines(100));
    MemoryPrompt prompt = MemoryPrompt.of(List.of(core, pinned("tiny", "t")), 10, METER);
    assertThat(prompt.core()).isEqualTo(core.markup().toString());
    assertThat(prompt.working()).isEmpty();
    assertThat(prompt.coreOverBudget()).isTrue();
    assertThat(prompt.dropped()).extracting(Omission::id).containsExactly("tiny");
  }

  private static EpochState epoch(PromptBlock... blocks) {
    List<PromptBlock> wanted = List.of(blocks);
    return EpochState.of(MemoryPrompt.of(wanted, 10_000, METER), wanted, BASIS);
  }

  private static MemoryUpdate update(EpochState epoch, PromptBlock... now) {
    return MemoryUpdate.of(epoch, List.of(now), 10_000, METER);
  }

  /** M-134: the golden text. */
  @Test
  void tellsWhatChanged() {
    EpochState epoch =
        epoch(pinned("notes", "Alice drinks tea."), pinned("draft", "d"), pinned("same", "s"));
    MemoryUpdate update =
        update(
            epoch,
            pinned("notes", "Alice drinks tea.\nBob wrote </memory_update> here."),
            pinned("same", "s"));
    assertThat(update.text())
        .isEqualTo(
            """
            <memory_update>
            Memory blocks that changed after they were shown above, as they are now:

            <block:notes permission="ReadWrite">
            Alice drinks tea.
            Bob wrote &lt;/memory_update> here.
            </block:notes>

            No longer shown: draft
            </memory_update>\
            """);
    assertThat(update.labels()).containsExactly("notes");
    assertThat(update.gone()).containsExactly("draft");
  }

  @Test
  void saysNothingIfNothingChangedOrAChangeWasTakenBack() {
    EpochState epoch = epoch(pinned("notes", "a"));
    assertThat(update(epoch, pinned("notes", "b")).text()).isNotEmpty();
    assertThat(update(epoch, pinned("notes", "a")).text()).isEmpty();
  }

  @Test
  void showsBlocksThatAreNewAndNamesSharedOnesByOwner() {
    EpochState epoch = epoch(shared("plan", "zoe", "p"), core("me", "m"));
    MemoryUpdate update = update(epoch, core("me", "m"), referenced("fresh", 0, "f"));
    assertThat(update.labels()).containsExactly("fresh");
    assertThat(update.text()).endsWith("\n\nNo longer shown: zoe/plan\n</memory_update>");
    assertThat(update(epoch, core("me", "m")).text())
        .isEqualTo("<memory_update>\nNo longer shown: zoe/plan\n</memory_update>");
  }

  /** A block for which there was no room is not new when it is left out again. */
  @Test
  void doesNotTellAboutWhatWasLeftOutAndStayedTheSame() {
    PromptBlock large = pinned("large", "y".repeat(4_000));
    List<PromptBlock> wanted = List.of(pinned("notes", "a"), large);
    EpochState epoch = EpochState.of(MemoryPrompt.of(wanted, 100, METER), wanted, BASIS);
    assertThat(epoch.labels()).containsExactly("notes");
    assertThat(MemoryUpdate.of(epoch, wanted, 100, METER).text()).isEmpty();
    assertThat(MemoryUpdate.of(epoch, List.of(pinned("notes", "a")), 100, METER).text()).isEmpty();
  }

  @Test
  void keepsAnEpochAsJson() {
    PromptBlock large = pinned("large", "y".repeat(4_000));
    List<PromptBlock> wanted = List.of(core("me", "m"), pinned("cut", lines(50)), large);
    EpochState epoch = EpochState.of(MemoryPrompt.of(wanted, 100, METER), wanted, BASIS);
    assertThat(epoch.truncated()).isNotEmpty();
    assertThat(epoch.dropped()).isNotEmpty();
    assertThat(EpochState.fromJson(epoch.toJson())).isEqualTo(epoch);
  }
}

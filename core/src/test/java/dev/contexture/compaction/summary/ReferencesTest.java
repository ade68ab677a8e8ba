package dev.contexture.compaction.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the list of references of a summary says, and what the next one knows from it. */
class ReferencesTest {
  private static final TokenMeter METER = TokenMeter.of(TokenCounter.CHARS4);
  private static final TurnId TURN = TurnId.of("t1");

  private static SummaryEntry entry(SummaryEntry.Kind kind, String text) {
    return new SummaryEntry(kind, TURN, 0, null, text, 0);
  }

  private static String merged(long tokens, SummaryEntry... entries) {
    return References.of(List.of(), References.knownBy(List.of(entries)), List.of())
        .text(tokens, METER);
  }

  @Test
  void whatWasAskedForStaysKnownAsThat() {
    SummaryEntry list = entry(SummaryEntry.Kind.REFERENCE, "src/a.py b_1\nmet_1 met_2");
    assertThat(merged(100, list)).isEqualTo(list.text());
  }

  @Test
  void aLineThatNamesSomethingComesFirst() {
    SummaryEntry list = entry(SummaryEntry.Kind.REFERENCE, "src/a.py\nmet_1");
    SummaryEntry line = entry(SummaryEntry.Kind.PROGRESS, "python run_7.py");
    assertThat(merged(100, list, line)).isEqualTo("run_7.py src/a.py\nmet_1");
  }

  @Test
  void whatWasAskedForHasMostOfTheRoom() {
    SummaryEntry list =
        entry(
            SummaryEntry.Kind.REFERENCE,
            "asked_01 asked_02 asked_03 asked_04 asked_05 asked_06\n"
                + "other_01 other_02 other_03 other_04 other_05 other_06");
    assertThat(merged(14, list))
        .isEqualTo("asked_01 asked_02 asked_03 asked_04\nother_01 other_02");
  }

  @Test
  void aListWithoutAnythingAskedForIsNotTakenForOne() {
    SummaryEntry list = entry(SummaryEntry.Kind.REFERENCE, "\nmet_1 met_2");
    References.Known known = References.knownBy(List.of(list));
    assertThat(known.asked()).isEmpty();
    assertThat(known.met()).containsExactly("met_1", "met_2");
    assertThat(merged(100, list)).isEqualTo("\nmet_1 met_2");
  }

  @Test
  void whatTheAgentWroteOnceAndVersionsComeLastWhereRoomIsLeft() {
    String answer = "Refunds take 24-hour review since 2024-05-01, code 1000.";
    List<SummaryRequest.Item> items =
        List.of(
            item(BlockType.ASSISTANT_COMPLETION, answer),
            item(BlockType.REACT_TOOL_RESULT, "Python 3.10 at 77_b 77_b, 1234 and 2025-01-01"),
            item(BlockType.USER_PROMPT, "see src/a.py"));
    References.Known nothing = References.knownBy(List.of());
    References found = References.of(items, nothing, List.of());
    assertThat(found.text(100, METER)).isEqualTo("src/a.py\n77_b\n3.10 24-hour 2024-05-01");
    assertThat(found.text(6, METER)).isEqualTo("src/a.py\n77_b");
    SummaryEntry list = entry(SummaryEntry.Kind.REFERENCE, found.text(100, METER));
    assertThat(merged(100, list)).isEqualTo(list.text());
  }

  private static SummaryRequest.Item item(BlockType type, String text) {
    return new SummaryRequest.Item(type, TURN, 0, null, null, false, text);
  }

  @Test
  void someWordsGo() {
    assertThat(References.without("a_1 a_2\nb_1 b_2", Set.of("a_1", "b_2"))).isEqualTo("a_2\nb_1");
  }
}

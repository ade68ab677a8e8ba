package dev.contexture.bench.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.bench.replay.EngineReplay;
import dev.contexture.simulator.replay.RecordedSession;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeedlesPartTest {
  private static final long SHARE = NeedlesPart.userShare(16_000);

  private final NeedleDialogue dialogue = NeedleDialogue.of("de", 2, 4_000);
  private final NeedleDialogue.Words first = dialogue.words().getFirst();

  @Test
  void countsAFactThatIsGoneAsLost() {
    List<String> texts = new ArrayList<>(first.facts());
    assertThat(NeedlesPart.Look.at(dialogue, 1, texts, SHARE).facts())
        .isEqualTo(new SessionRetention.Count(5, 5));
    texts.set(2, texts.get(2).substring(1));
    assertThat(NeedlesPart.Look.at(dialogue, 1, texts, SHARE).facts())
        .isEqualTo(new SessionRetention.Count(5, 4));
  }

  @Test
  void countsOnlyFactsThatWereStatedBefore() {
    int last = dialogue.words().getLast().before();
    assertThat(NeedlesPart.Look.at(dialogue, last, List.of(), SHARE).facts())
        .isEqualTo(new SessionRetention.Count(8, 0));
    assertThat(NeedlesPart.Look.at(dialogue, 1, List.of(), SHARE).facts().looked()).isEqualTo(5);
  }

  @Test
  void tellsDialoguesWhoseWordsFitTheirShareFromOthers() {
    long tokens = EngineReplay.tokens(first.text());
    assertThat(NeedlesPart.Look.at(dialogue, 1, List.of(), tokens).fitting().looked()).isEqualTo(5);
    assertThat(NeedlesPart.Look.at(dialogue, 1, List.of(), tokens - 1).fitting().looked()).isZero();
    assertThat(NeedlesPart.Look.at(dialogue, 1, List.of(first.text()), 0).fitting().looked())
        .isEqualTo(5); // nothing has to fit: it is still there
  }

  @Test
  void givesTheUserHalfOfASummary() {
    assertThat(NeedlesPart.userShare(1_599)).isEqualTo(79);
    assertThat(NeedlesPart.userShare(2_000)).isEqualTo(200);
    assertThat(NeedlesPart.userShare(16_000)).isEqualTo(800);
    assertThat(NeedlesPart.userShare(200_000)).isEqualTo(4_000);
  }

  @Test
  void writesEveryDialogueTheSameWayAndNoTwoAlike() {
    HashSet<List<RecordedSession.Event>> all = new HashSet<>();
    for (String language : NeedleDialogue.LANGUAGES) {
      for (int number = 0; number < NeedleDialogue.PER_LANGUAGE; number++) {
        NeedleDialogue made = NeedleDialogue.of(language, number, 400);
        assertThat(made).isEqualTo(NeedleDialogue.of(language, number, 400));
        assertThat(made.words().stream().mapToInt(words -> words.facts().size()).sum())
            .isEqualTo(8);
        assertThat(made.words())
            .allSatisfy(words -> assertThat(words.facts()).allMatch(words.text()::contains))
            .allSatisfy(words -> assertThat(words.text()).doesNotContain("{", "}"));
        all.add(made.session().events());
      }
    }
    assertThat(all).hasSize(40);
  }
}

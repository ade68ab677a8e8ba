package dev.contexture.bench.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordCutsTest {
  private final WordCuts cuts =
      new WordCuts(
          List.of(
              "Please check the order 4711 today. I prefer to pay by bank transfer, because I can.",
              "Please check the order 4722.",
              "我们在市政厅的联系人是欧阳建平，别人都不能签字，请一直记住这一点。"));

  @Test
  void findsAnEndInsideAWordOrNumber() {
    assertThat(cuts.count("- I prefer to pay by bank trans… (ar:t1.user.prompt)")).isEqualTo(1);
    assertThat(cuts.count("Please check the order 47…")).isEqualTo(1);
  }

  @Test
  void findsABeginningInsideAWord() {
    assertThat(cuts.count("…efer to pay by bank transfer, because I can.")).isEqualTo(1);
  }

  @Test
  void takesEndsOfWordsAndSentencesForWhole() {
    assertThat(cuts.count("- I prefer to pay by bank… (ar:t1.user.prompt)")).isZero();
    assertThat(cuts.count("I prefer to pay by bank transfer, because I can.")).isZero();
    assertThat(cuts.count("Please check the order 4722.\nPlease check the order 4711 today."))
        .isZero();
    assertThat(cuts.count("I prefer to paint the bank tower")).isZero();
    assertThat(cuts.count("They would rather prefer to pay by bank transfers")).isZero();
  }

  @Test
  void readsOnBehindWhatWasWhole() {
    assertThat(cuts.count("Please check the order 4722. | I prefer to pay by bank tr"))
        .isEqualTo(1);
  }

  @Test
  void cutsBetweenAnyCharactersOfScriptsWithoutSpaces() {
    assertThat(cuts.count("我们在市政厅的联系人是欧阳建平，别人…")).isZero();
  }
}

package dev.contexture.bench.retention;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SaidTextTest {
  @Test
  void endsASentenceBehindAMarkAndASpaceOrWithTheLine() {
    assertThat(
            SaidText.sentences(
                "Pay 3.50 euros at example.com today! Then go home now.\u00a0 Nobody waits"
                    + " there?\n\n"
                    + "  a line without an end  \r\n"
                    + "В доме живёт кот. 我对坚果过敏，请一直记住这一点。 short. Version 1.2.3 is the one"))
        .containsExactly(
            "Pay 3.50 euros at example.com today!",
            "Then go home now.",
            "Nobody waits there?",
            "a line without an end",
            "В доме живёт кот.",
            "我对坚果过敏，请一直记住这一点。",
            "Version 1.2.3 is the one");
  }

  @Test
  void countsCharactersAndNotUnitsOfTheirEncoding() {
    assertThat(SaidText.sentences("😀".repeat(11) + "\n" + "😀".repeat(12)))
        .containsExactly("😀".repeat(12));
    assertThat(SaidText.sentences("好。不空格的句子不分开。真的不分开")).hasSize(1);
    assertThat(SaidText.sentences("\u001cSeparated by signs of files.\u0085\u001dAnd another."))
        .containsExactly("Separated by signs of files.", "And another.");
    assertThat(SaidText.sentences(" \n.\n")).isEmpty();
  }

  @Test
  void takesWordsWithDigitsUnderscoresOrSlashesForReferences() {
    assertThat(
            SaidText.references(
                "see src/main/App.java:12, user_id (mia_li_3668). It is v1.2, abc 12 a-1b x.y.z"
                    + " ab_"))
        .containsExactly("src/main/App.java:12", "user_id", "mia_li_3668", "v1.2", "a-1b");
    assertThat(SaidText.references("x".repeat(60) + "1" + "y".repeat(80))).hasSize(1);
    assertThat(SaidText.references("größe_1 ende")).isEmpty();
  }
}

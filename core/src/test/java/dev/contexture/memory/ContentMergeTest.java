package dev.contexture.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentMerge;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.TextSchema;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Merging two changes of one content. */
class ContentMergeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "say hi | say | A: say hi! | A: say!",
        "one two three | one three | zero one two three four | zero one three four",
        "abc | '' | abXc | X",
        "xy | xya | xyB | xyaB",
        "same | same more | same more | same more",
        "a b | a b | c | c",
      })
  void keepsWhatEitherSideDid(String base, String mine, String theirs, String merged) {
    assertThat(text(base, mine, theirs)).isEqualTo(merged);
  }

  private static String text(String base, String mine, String theirs) {
    JsonValue merged =
        ContentMerge.of(
            TextSchema.PLAIN, new JsonString(base), new JsonString(mine), new JsonString(theirs));
    return ((JsonString) merged).value();
  }

  @Test
  void itemsOfAListAreMerged() {
    JsonValue merged =
        ContentMerge.of(
            new ListSchema(null, null),
            JsonValue.parse("[1,2,2,3]"),
            JsonValue.parse("[1,2,3]"),
            JsonValue.parse("[0,1,2,2,3,4]"));
    assertThat(merged.toJson()).isEqualTo("[0,1,2,3,4]");
  }

  /** Changes apart from each other are both there, wherever they are. */
  @Test
  void changesApartFromEachOtherAreBothKept() {
    Random random = new Random(5);
    for (int round = 0; round < 300; round++) {
      String left = letters(random, 'a');
      String right = letters(random, 'k');
      String base = left + "=====\n=====" + right;
      String mine = letters(random, 'A') + "=====\n=====" + right;
      String theirs = left + "=====\n=====" + letters(random, 'K');
      String wanted = mine.substring(0, mine.indexOf('=')) + theirs.substring(theirs.indexOf('='));
      assertThat(text(base, mine, theirs)).as("round %d", round).isEqualTo(wanted);
      assertThat(text(base, base, theirs)).isEqualTo(theirs);
      assertThat(text(base, mine, base)).isEqualTo(mine);
    }
  }

  private static String letters(Random random, char from) {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      out.append((char) (from + random.nextInt(6)));
    }
    return out.toString();
  }

  @Test
  void whatDiffersTooMuchIsReplacedAsAWhole() {
    String base = "a".repeat(3_000);
    String theirs = "b".repeat(3_000);
    assertThat(text(base, base + "!", theirs)).isEqualTo(theirs + "!");
  }
}

package dev.contexture.memory.textedit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Line edits against the plainest model: lists of lines (M-122). */
class TextEditProperties {
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> line = Arbitraries.of("", "a", "b", "  a", "😀", "a b", "long line");
    return line.list()
        .ofMaxSize(8)
        .flatMap(
            lines ->
                Arbitraries.of(true, false)
                    .map(
                        ended ->
                            String.join("\n", lines) + (ended && !lines.isEmpty() ? "\n" : "")));
  }

  @Property
  void aRangeIsWhatListsGive(
      @ForAll("texts") String text, @ForAll("texts") String content, @ForAll int seed) {
    List<String> lines = new ArrayList<>(TextLines.of(text).lines());
    if (lines.isEmpty()) {
      return;
    }
    int first = Math.floorMod(seed, lines.size());
    int end = first + Math.floorMod(seed >> 8, lines.size() - first) + 1;
    List<String> expected = new ArrayList<>(lines.subList(0, first));
    expected.addAll(TextLines.of(content).lines());
    expected.addAll(lines.subList(end, lines.size()));
    assertThat(new LineRange(first + 1, end, content).apply(text))
        .isEqualTo(joined(expected, text.endsWith("\n")));
  }

  @Property
  void aDiffMadeOfTwoTextsLeadsFromOneToTheOther(
      @ForAll("texts") String before, @ForAll("texts") String after) {
    List<String> old = TextLines.of(before).lines();
    List<String> target = TextLines.of(after).lines();
    StringBuilder diff = new StringBuilder();
    diff.append("@@ -").append(old.isEmpty() ? 0 : 1).append(',').append(old.size());
    diff.append(" +").append(target.isEmpty() ? 0 : 1).append(',').append(target.size());
    diff.append(" @@\n");
    old.forEach(line -> diff.append('-').append(line).append('\n'));
    diff.append(!old.isEmpty() && !before.endsWith("\n") ? "\\ No newline at end of file\n" : "");
    target.forEach(line -> diff.append('+').append(line).append('\n'));
    diff.append(!target.isEmpty() && !after.endsWith("\n") ? "\\ No newline at end of file\n" : "");
    assertThat(TextPatch.parse(diff.toString()).apply(before)).isEqualTo(after);
  }

  private static String joined(List<String> lines, boolean ended) {
    return String.join("\n", lines) + (ended && !lines.isEmpty() ? "\n" : "");
  }
}

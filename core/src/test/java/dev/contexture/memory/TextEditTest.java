package dev.contexture.memory;

import static dev.contexture.memory.Docs.doc;
import static dev.contexture.memory.Docs.refused;
import static dev.contexture.memory.Docs.refusedUnchanged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.LineRange;
import dev.contexture.memory.textedit.TextEdit;
import dev.contexture.memory.textedit.TextPatch;
import dev.contexture.memory.textedit.TextReplacement;
import dev.contexture.memory.textedit.TextReplacement.Mode;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits that look for their places: conformance item 81 (M-122). */
class TextEditTest {
  private static StructuredDocument text(String content) {
    StructuredDocument document = doc(TextSchema.PLAIN);
    document.setText(content);
    document.commit();
    return document;
  }

  @Nested
  class Replacements {
    private static String replaced(String text, String find, String with, Mode mode, int n) {
      return new TextReplacement(find, with, mode, n).apply(text);
    }

    private static String matched(String text, String expression, String with) {
      return replaced(text, expression, with, Mode.REGEX, 0);
    }

    @Test
    void modesChooseTheirOccurrences() { // M-122
      assertThat(replaced("a b a b a", "a", "X", Mode.FIRST, 0)).isEqualTo("X b a b a");
      assertThat(replaced("a b a b a", "a", "X", Mode.ALL, 0)).isEqualTo("X b X b X");
      assertThat(replaced("a b a b a", "a", "X", Mode.NTH, 3)).isEqualTo("a b a b X");
      assertThat(replaced("a1 a22", "a(\\d+)", "<$1>", Mode.REGEX, 0)).isEqualTo("<1> a22");
    }

    @Test
    void occurrencesDoNotOverlap() {
      assertThat(replaced("aaaaa", "aa", "b", Mode.ALL, 0)).isEqualTo("bba");
      assertThat(replaced("aaaa", "aa", "b", Mode.NTH, 2)).isEqualTo("aab");
      assertThat(replaced("ab", "a", "aa", Mode.ALL, 0))
          .isEqualTo("aab"); // not again in its result
    }

    @Test
    void tellsHowManyItChanged() {
      StructuredDocument document = text("x 世 x 世 x");
      assertThat(document.editText(new TextReplacement("世", "😀😀", Mode.ALL, 0))).isEqualTo(2);
      assertThat(document.text()).isEqualTo("x 😀😀 x 😀😀 x");
      assertThat(document.editText(new TextReplacement("😀 x", "", Mode.NTH, 2))).isEqualTo(1);
      assertThat(document.text()).isEqualTo("x 😀😀 x 😀");
      assertThat(document.commit()).isEqualTo(2); // one commit, hence one undo step
    }

    @Test
    void noHitSaysHowManyThereAre() { // NO_MATCH
      StructuredDocument document = text("a b a");
      ContextureException third =
          refusedUnchanged(
              document,
              () -> document.editText(new TextReplacement("a", "x", Mode.NTH, 3)),
              ErrorCode.NO_MATCH);
      assertThat(third.details()).containsEntry("occurrences", 2).containsEntry("text", "a");
      for (Mode mode : new Mode[] {Mode.FIRST, Mode.ALL, Mode.REGEX}) {
        ContextureException none =
            refusedUnchanged(
                document,
                () -> document.editText(new TextReplacement("zz", "x", mode, 0)),
                ErrorCode.NO_MATCH);
        assertThat(none.details()).containsEntry("occurrences", 0);
      }
    }

    @Test
    void refusesAnEmptyTextAndOccurrenceZero() {
      refused(() -> new TextReplacement("", "x", Mode.ALL, 0), ErrorCode.INVALID_ARGUMENT);
      refused(() -> new TextReplacement("a", "x", Mode.NTH, 0), ErrorCode.INVALID_ARGUMENT);
      refused(() -> Mode.named("last"), ErrorCode.INVALID_ARGUMENT);
      assertThat(Mode.named("nth")).isEqualTo(Mode.NTH);
    }

    @Test
    void changesNothingWhereTheTextIsTheSame() {
      StructuredDocument document = text("same");
      assertThat(document.editText(new TextReplacement("same", "same", Mode.FIRST, 0)))
          .isEqualTo(1);
      assertThat(document.hasUncommittedEdits()).isFalse();
    }

    @Test
    void groupsStandForWhatTheyMatched() {
      assertThat(matched("John Smith", "(\\w+) (\\w+)", "$2, $1")).isEqualTo("Smith, John");
      assertThat(matched("due 3", "(?<n>\\d)", "${n}${n}")).isEqualTo("due 33");
      assertThat(matched("cost 5", "\\d", "$$$0")).isEqualTo("cost $5");
      assertThat(matched("ab", "(a)|(c)", "[$1$2]")).isEqualTo("[a]b");
      assertThat(matched("x", "(x)", "$10")).isEqualTo("x0"); // group 1, then a 0
      assertThat(matched("p", "p", "C:\\dir $x ${")).isEqualTo("C:\\dir $x ${");
      assertThat(matched("ab", "^", "> ")).isEqualTo("> ab");
      assertThat(matched("a😀b", "a.b", "$0!")).isEqualTo("a😀b!");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[a", "a{2,1}", "(?<n", "*"})
    void refusesWhatIsNoExpression(String expression) { // INVALID_REGEX
      refused(() -> matched("aaa", expression, "x"), ErrorCode.INVALID_REGEX);
    }

    @Test
    void refusesGroupsThatThereAreNot() {
      refused(() -> matched("a", "a", "$1"), ErrorCode.INVALID_REGEX);
      refused(() -> matched("a", "(?<n>a)", "${m}"), ErrorCode.INVALID_REGEX);
    }

    @Test
    void anExpressionThatTakesLongStops() { // 81: 1 s at most
      String text = "a".repeat(2_000_000);
      ContextureException stopped =
          assertTimeout(
              Duration.ofMinutes(2),
              () -> refused(() -> matched(text, "(a{0,1000}c)", "x"), ErrorCode.INVALID_REGEX));
      assertThat(stopped).hasMessageContaining("1 s");
    }

    @Test
    void anExpressionThatCouldTakeExponentialTimeEnds() {
      String text = "a".repeat(60) + "!";
      for (String expression : new String[] {"(.*a){25}b", "(a+)+b", "a*".repeat(20) + "b"}) {
        refused(() -> matched(text, expression, "x"), ErrorCode.NO_MATCH);
      }
      refused(() -> matched("ab".repeat(200_000), "(a|b)*c", "x"), ErrorCode.NO_MATCH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?=a)a", "(?<!b)a", "(a)\\1", "a++", "(?x) a"})
    void lookAroundAndBackReferencesAreRefused(String expression) {
      refused(() -> matched("aa", expression, "x"), ErrorCode.INVALID_REGEX);
    }

    @Test
    void countsThatMultiplyAreRefused() {
      for (String expression :
          new String[] {
            "(?:(?:^){1000000000}){1000000000}", "(?:^){5000}", "((a{0,100}){1,100}){100}"
          }) {
        assertTimeout(
            Duration.ofMinutes(2),
            () -> refused(() -> matched("a", expression, "x"), ErrorCode.INVALID_REGEX));
      }
      assertThat(matched("aab", "a{2}", "x")).isEqualTo("xb");
    }

    @Test
    void aResultThatNobodyCouldHoldIsRefusedBeforeItIsMade() {
      refused(() -> matched("a", "a", "x".repeat(4_100_000)), ErrorCode.INVALID_REGEX);
    }

    @Test
    void anExpressionOfTooManyCharactersIsRefused() {
      refused(() -> matched("a", "(".repeat(2_000), "x"), ErrorCode.INVALID_REGEX);
    }
  }

  @Nested
  class Patches {
    private static final String LIST = "milk\nbread\neggs\n";

    private static String patched(String text, String... diff) {
      return TextPatch.parse(String.join("\n", diff)).apply(text);
    }

    private static ContextureException conflict(String text, String... diff) {
      StructuredDocument document = text(text);
      TextPatch patch = TextPatch.parse(String.join("\n", diff));
      return refusedUnchanged(document, () -> document.editText(patch), ErrorCode.PATCH_CONFLICT);
    }

    @Test
    void appliesWhatADiffSays() {
      assertThat(
              patched(
                  LIST, "--- a", "+++ b", "@@ -1,3 +1,3 @@", " milk", "-bread", "+rye", " eggs"))
          .isEqualTo("milk\nrye\neggs\n");
      assertThat(patched(LIST, "@@ -2,1 +2,2 @@ heading", " bread", "+butter"))
          .isEqualTo("milk\nbread\nbutter\neggs\n");
      assertThat(patched(LIST, "@@ -0,0 +1 @@", "+list:")).isEqualTo("list:\nmilk\nbread\neggs\n");
      assertThat(patched(LIST, "@@ -3,0 +4 @@", "+jam")).isEqualTo("milk\nbread\neggs\njam\n");
      assertThat(patched(LIST, "@@ -1,3 +0,0 @@", "-milk", "-bread", "-eggs")).isEmpty();
      assertThat(patched("", "@@ -0,0 +1,2 @@", "+a", "+b")).isEqualTo("a\nb\n");
    }

    @Test
    void appliesSeveralHunksAtTheLinesOfTheText() {
      StructuredDocument document = text("1\n2\n3\n4\n5\n6\n7\n8");
      String diff = "@@ -1,2 +1,3 @@\n+0\n 1\n 2\n@@ -6,2 +7,1 @@\n-6\n 7\n@@ -8 +8 @@\n-8\n+eight";
      assertThat(document.editText(TextPatch.parse(diff))).isEqualTo(2); // the last two touch
      assertThat(document.text()).isEqualTo("0\n1\n2\n3\n4\n5\n7\neight");
    }

    @Test
    void whetherTheTextEndsWithALineFeedStays() {
      assertThat(patched("a\nb", "@@ -2 +2 @@", "-b", "+c")).isEqualTo("a\nc");
      assertThat(patched("a\nb", "@@ -2 +2,2 @@", " b", "+c")).isEqualTo("a\nb\nc");
      assertThat(patched("a\nb", "@@ -2,0 +3 @@", "+c")).isEqualTo("a\nb\nc");
      assertThat(patched("a\nb", "@@ -2 +1,0 @@", "-b")).isEqualTo("a");
      assertThat(patched("a\nb\n", "@@ -2 +1,0 @@", "-b")).isEqualTo("a\n");
      assertThat(patched("a\nb", "@@ -1,2 +0,0 @@", "-a", "-b")).isEmpty();
    }

    @Test
    void unlessTheDiffSaysOtherwise() {
      String none = "\\ No newline at end of file";
      assertThat(patched("a\nb\n", "@@ -2 +2 @@", "-b", "+b", none)).isEqualTo("a\nb");
      assertThat(patched("a\nb", "@@ -2 +2 @@", "-b", none, "+b")).isEqualTo("a\nb\n");
      assertThat(patched("a\nb", "@@ -2 +2 @@", "-b", none, "+c", none)).isEqualTo("a\nc");
      assertThat(patched("", "@@ -0,0 +1 @@", "+a", none)).isEqualTo("a");
      assertThat(conflict("a\nb\n", "@@ -2 +2 @@", "-b", none, "+c").details())
          .containsEntry("found", "a line feed at the end");
      assertThat(conflict("a\nb\n", "@@ -1 +1 @@", "-a", "+c", none).details())
          .containsEntry("found", "more lines");
    }

    @Test
    void aHunkMayLieAtOneOtherPlace() {
      assertThat(patched(LIST, "@@ -9,2 +9,2 @@", " bread", "-eggs", "+jam"))
          .isEqualTo("milk\nbread\njam\n");
      assertThat(patched("x\nb\nb\n", "@@ -2 +2 @@", "-b", "+c")).isEqualTo("x\nc\nb\n");
    }

    @Test
    void wrongContextChangesNothing() { // 81
      ContextureException wrong = conflict(LIST, "@@ -1,2 +1,2 @@", " milk", "-rye", "+jam");
      assertThat(wrong.details())
          .containsEntry("hunk", 1)
          .containsEntry("line", 2)
          .containsEntry("expected", "rye")
          .containsEntry("found", "bread");
      ContextureException second =
          conflict(LIST, "@@ -1 +1 @@", "-milk", "+oat milk", "@@ -3 +3 @@", "-ham", "+jam");
      assertThat(second.details())
          .containsEntry("hunk", 2)
          .containsEntry("line", 3)
          .containsEntry("expected", "ham")
          .containsEntry("found", "eggs");
      assertThat(conflict(LIST, "@@ -3,2 +3,2 @@", " eggs", "-salt", "+jam").details())
          .containsEntry("line", 4)
          .containsEntry("found", "the end of the text");
      assertThat(conflict("b\nx\nb\n", "@@ -2 +2 @@", "-b", "+c").details())
          .containsEntry("found", "2 places, at lines 1, 3");
      assertThat(conflict("b\n".repeat(9), "@@ -10 +10 @@", "-b", "+c").details())
          .containsEntry("found", "more than 5 places, at lines 1, 2, 3, 4, 5");
      conflict(LIST, "@@ -1,2 +1,2 @@", "-milk", "+x", " bread", "@@ -2 +2 @@", "-bread", "+y");
      conflict(LIST, "@@ -9,0 +9 @@", "+jam");
    }

    @Test
    void aBlankContextLineMayLoseItsBlank() {
      assertThat(patched("a\n\nb\n", "@@ -1,3 +1,3 @@", " a", "", "-b", "+c", ""))
          .isEqualTo("a\n\nc\n");
    }

    @Test
    void keepsEverythingElse() {
      assertThat(patched("\tif x:\r\n\t\t😀 y\n", "@@ -2 +2 @@", "-\t\t😀 y", "+\t\t😁 y"))
          .isEqualTo("\tif x:\r\n\t\t😁 y\n");
      assertThat(patched("-a\n+b\n", "@@ -1,2 +1,2 @@", "--a", "+-c", " +b")).isEqualTo("-c\n+b\n");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "replace milk by rye",
          "@@ -1 @@\n-milk",
          "@@ -1,2 +1,2 @@\n-milk\n+rye", // fewer lines than its header says
          "@@ -1 +1 @@\n-milk\n+rye\n+ham", // more
          "@@ -1 +1 @@\n-milk\nrye",
          "@@ -0,1 +1 @@\n-milk\n+rye",
          "--- a\n+++ b\n@@ -1 +1 @@\n-milk\n+rye\n--- c\n+++ d\n@@ -1 +1 @@\n-a\n+b",
        })
    void refusesWhatIsNoDiffOfOneText(String diff) {
      refused(() -> TextPatch.parse(diff), ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Nested
  class Ranges {
    private static String replaced(String text, long start, long end, String content) {
      return new LineRange(start, end, content).apply(text);
    }

    @Test
    void replacesLinesFromOneInclusive() {
      assertThat(replaced("a\nb\nc\n", 2, 2, "B")).isEqualTo("a\nB\nc\n");
      assertThat(replaced("a\nb\nc\n", 1, 2, "x\ny\nz")).isEqualTo("x\ny\nz\nc\n");
      assertThat(replaced("a\nb\nc", 2, 99, "z")).isEqualTo("a\nz"); // the end is clamped
    }

    @Test
    void keepsIndentationAndFinalLineFeed() { // 81
      assertThat(replaced("if x:\n    a\n    b\n", 3, 3, "    c"))
          .isEqualTo("if x:\n    a\n    c\n");
      assertThat(replaced("if x:\n\ta", 2, 2, "\tb\n\t\tc\n")).isEqualTo("if x:\n\tb\n\t\tc");
      assertThat(replaced("a\nb\n", 2, 2, "c\n")).isEqualTo("a\nc\n");
      assertThat(replaced("a\nb", 1, 1, "\n")).isEqualTo("\nb");
    }

    @Test
    void emptyContentDeletes() {
      assertThat(replaced("a\nb\nc\n", 2, 2, "")).isEqualTo("a\nc\n");
      assertThat(replaced("a\nb", 2, 2, "")).isEqualTo("a");
      assertThat(replaced("a\nb\n", 2, 2, "")).isEqualTo("a\n");
      assertThat(replaced("a\nb\n", 1, 2, "")).isEmpty();
    }

    @Test
    void refusesOtherRanges() {
      refused(() -> new LineRange(0, 1, "x"), ErrorCode.INVALID_ARGUMENT);
      refused(() -> new LineRange(3, 2, "x"), ErrorCode.INVALID_ARGUMENT);
      refused(() -> replaced("a\nb\n", 3, 3, "x"), ErrorCode.INVALID_ARGUMENT);
      refused(() -> replaced("", 1, 1, "x"), ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void touchesOnlyWhatDiffers() {
      assertThat(new LineRange(2, 2, "one three two").splices("a\none two\nb"))
          .containsExactly(new TextEdit.Splice(7, 7, "hree t"));
    }
  }

  @Test
  void onlyTextsAreEditedLikeThis() { // M-34, and the gate before everything (M-11)
    StructuredDocument list = doc(ListSchema.ofAnything());
    refused(() -> list.editText(new LineRange(1, 1, "x")), ErrorCode.WRONG_SCHEMA);
    DetachedHost host = Docs.host(TextSchema.PLAIN);
    host.settings(host.settings().withPermission(MemoryPermission.READ_ONLY));
    refused(
        () -> host.open(Docs.AGENT).editText(new TextReplacement("none", "x", Mode.FIRST, 0)),
        ErrorCode.PERMISSION_DENIED);
  }

  @Test
  void editsOfOthersBetweenItsPlacesSurvive() { // M-33, as setText
    DetachedHost host = Docs.host(TextSchema.PLAIN);
    StructuredDocument first = host.open(Docs.AGENT);
    first.setText("old 1\nmiddle\nold 2\n");
    first.commit();
    StructuredDocument second = host.open(Docs.HUMAN);
    second.replaceText("middle", "middle, changed");
    first.editText(new TextReplacement("old", "new", Mode.ALL, 0));
    second.commit();
    first.commit();
    assertThat(host.open(Docs.AGENT).text()).isEqualTo("new 1\nmiddle, changed\nnew 2\n");
  }
}

package dev.contexture.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Counting by pieces gives what the encoding gives for the whole text. */
class PieceCounterProperties {
  private static final ToLongFunction<String> ENCODER = EncodingCounter.encoder("o200k_base");
  private static final PieceCounter COUNTER = new PieceCounter(ENCODER, true);
  private static final ToLongFunction<String> OLDER = EncodingCounter.encoder("cl100k_base");
  private static final PieceCounter OLDER_COUNTER = new PieceCounter(OLDER, false);

  @Property(tries = 3_000)
  void countsAsciiAsTheEncoderDoes(@ForAll("ascii") String text) {
    assertThat(COUNTER.count(text)).isEqualTo(ENCODER.applyAsLong(text));
    assertThat(OLDER_COUNTER.count(text)).isEqualTo(OLDER.applyAsLong(text));
  }

  @Property(tries = 3_000)
  void countsAnyTextAsTheEncoderDoes(@ForAll("mixed") String text) {
    assertThat(COUNTER.count(text)).isEqualTo(ENCODER.applyAsLong(text));
    String whole = text.replaceAll("\\p{Cs}", "?"); // which the older encoder asserts
    assertThat(OLDER_COUNTER.count(whole)).isEqualTo(OLDER.applyAsLong(whole));
  }

  @Example
  void countsThisProjectsTextsAsTheEncoderDoes() throws IOException {
    Path root = Path.of(System.getProperty("contexture.root"));
    try (Stream<Path> files = Files.walk(root.resolve("core/src/main"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).isNotEmpty();
      for (Path file : sources) {
        String text = Files.readString(file);
        assertThat(COUNTER.count(text)).as("%s", file).isEqualTo(ENCODER.applyAsLong(text));
        assertThat(OLDER_COUNTER.count(text)).as("%s", file).isEqualTo(OLDER.applyAsLong(text));
      }
    }
  }

  @Example
  void decidesWhatBordersOnOtherScripts() {
    List<String> texts =
        List.of(
            "",
            " ",
            "'",
            "it's",
            "IT'S",
            "we'll go",
            "they'RE",
            "a'b",
            "x'",
            "don't\u017f",
            "'\u017f",
            "a \u00a0b",
            "1\u0661",
            "12\u0661",
            "\n\u00e9",
            "a\u0301b",
            "caf\u00e9 au lait",
            "\u4e16\u754c hello",
            "x\u2028y",
            "!!\n\n//x",
            " !\r\n",
            "\t\tif",
            "  \n  x",
            "\u001c\u001dx");
    for (String text : texts) {
      assertThat(COUNTER.count(text)).as(text).isEqualTo(ENCODER.applyAsLong(text));
      assertThat(OLDER_COUNTER.count(text)).as(text).isEqualTo(OLDER.applyAsLong(text));
    }
  }

  @Provide
  Arbitrary<String> ascii() {
    Arbitrary<String> signs =
        Arbitraries.of("'", "'", ".", "/", "-", "(", "_", "\"", "\u001c", "\u0000");
    Arbitrary<String> spaces = Arbitraries.of(" ", " ", "  ", "\n", "\r\n", "\t", "\u000b", "\f");
    Arbitrary<String> words =
        Arbitraries.of(
            "s", "t", "re", "ve", "ll", "LL", "d", "M", "word", "Word", "HTTPServer", "A", "x");
    Arbitrary<String> digits = Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(5);
    return Arbitraries.oneOf(signs, spaces, words, digits)
        .list()
        .ofMaxSize(30)
        .map(parts -> String.join("", parts));
  }

  @Provide
  Arbitrary<String> mixed() {
    Arbitrary<String> others =
        Arbitraries.of(
            "\u00e9",
            "\u0301",
            "\u00a0",
            "\u2003",
            "\u017f",
            "\u212a",
            "\u0661",
            "\u4e16",
            "\u1f600",
            "\ud83d\ude00",
            "\u02b0",
            "\u01c5",
            "\u00df",
            "\u2028",
            "\u0085",
            "\u2019",
            "\ud83d");
    return Arbitraries.oneOf(ascii(), ascii(), others, Arbitraries.strings().ofMaxLength(3))
        .list()
        .ofMaxSize(6)
        .map(parts -> String.join("", parts));
  }
}

package dev.contexture.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counting needs little time and memory, whatever the text is. */
class CountBoundsTest {
  private static final int HUGE = 5_000_000;
  private static final long ALLOWED_BYTES = 512L << 20; // over the whole count, most of it garbage

  /** A text that is hard to count, of a length to be chosen. */
  record Hostile(String name, String unit, int low, int high) {
    String text(int chars) {
      Random random = new Random(7);
      StringBuilder text = new StringBuilder();
      while (text.length() < chars) {
        if (unit.isEmpty()) {
          text.appendCodePoint(low + random.nextInt(high - low));
        } else {
          text.append(unit);
        }
      }
      boolean cutsPair = low > 0xffff && Character.isHighSurrogate(text.charAt(chars - 1));
      return cutsPair ? text.substring(0, chars - 1) + "x" : text.substring(0, chars);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Hostile> hostile() {
    byte[] bytes = new byte[3 << 16];
    new Random(3).nextBytes(bytes);
    return Stream.of(
        new Hostile("letter", "a", 0, 0),
        new Hostile("blank", " ", 0, 0),
        new Hostile("break", "\n", 0, 0),
        new Hostile("blank lines", " \n", 0, 0),
        new Hostile("slash lines", "\n/", 0, 0),
        new Hostile("rule", "=", 0, 0),
        new Hostile("quotes", "'a", 0, 0),
        new Hostile("capitals", "A", 0, 0),
        new Hostile("blank and last", "        x", 0, 0),
        new Hostile("base64", Base64.getEncoder().encodeToString(bytes), 0, 0),
        new Hostile("letters", "", 'a', 'z' + 1),
        new Hostile("digits", "", '0', '9' + 1),
        new Hostile("signs", "", '!', '0'),
        new Hostile("Chinese", "", 0x4e00, 0x9fa5),
        new Hostile("emoji", "", 0x1f300, 0x1f600),
        new Hostile("marks", "", 0x300, 0x36f),
        new Hostile("odd blanks", "\u00a0\u3000", 0, 0),
        new Hostile("half characters", "\ud83d", 0, 0));
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void givesTheEncoderShortPiecesAndBoundedWork(Hostile hostile) {
    for (boolean ascii : new boolean[] {true, false}) {
      AtomicInteger longest = new AtomicInteger();
      AtomicLong work = new AtomicLong();
      PieceCounter counter =
          new PieceCounter(
              piece -> {
                longest.accumulateAndGet(piece.length(), Math::max);
                work.addAndGet(piece.length());
                return 1;
              },
              ascii);
      counter.count(hostile.text(HUGE));
      assertThat(longest.get()).isLessThanOrEqualTo(PieceCounter.MAX_EXACT_PIECE);
      assertThat(work.get())
          .isLessThanOrEqualTo(
              PieceCounter.MAX_EXACT_WORK
                  + (long) PieceCounter.SAMPLES * PieceCounter.SAMPLE_LENGTH);
    }
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void countsFiveMegabytesOfAnythingInBoundedMemory(Hostile hostile) {
    String text = hostile.text(HUGE);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    TokenCounter.O200K_BASE.count("load the encoding");
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(TokenCounter.O200K_BASE.count(text)).isPositive();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(ALLOWED_BYTES);
  }

  @Test
  void givesTheSameCountWhateverWasCountedBefore() {
    String text = new Hostile("letters", "", ' ', 'z').text(400_000);
    long tokens = TokenCounter.O200K_BASE.count(text);
    TokenCounter.O200K_BASE.count(new Hostile("other letters", "", 'A', 'z').text(50_000));
    PieceCounter fresh = new PieceCounter(EncodingCounter.encoder("o200k_base"), true);
    assertThat(TokenCounter.O200K_BASE.count(text)).isEqualTo(tokens);
    assertThat(fresh.count(text)).isEqualTo(tokens);
  }

  @Test
  void countsAMegabyteWhoseWordsRepeatAsTheEncoderDoes() {
    String text =
        new Hostile("words", "The quick brown fox, 東京 and it's\n\tdone. ", 0, 0).text(1 << 20);
    for (TokenCounter counter : List.of(TokenCounter.O200K_BASE, TokenCounter.CL100K_BASE)) {
      assertThat(counter.count(text))
          .isEqualTo(EncodingCounter.encoder(counter.name()).applyAsLong(text));
    }
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void countsHostileTextsUpToTheStatedSizeAsTheEncoderDoes(Hostile hostile) {
    for (TokenCounter counter : counters(hostile)) {
      ToLongFunction<String> encoder = EncodingCounter.encoder(counter.name());
      for (int chars : new int[] {1, 2, 3, 500, 501, PieceCounter.MAX_EXACT_PIECE}) {
        String text = hostile.text(chars);
        assertThat(counter.count(text)).isEqualTo(encoder.applyAsLong(text));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void estimatesLongerOnesCloseToTheEncoder(Hostile hostile) {
    for (TokenCounter counter : counters(hostile)) {
      String text = hostile.text(40_000);
      double exact = EncodingCounter.encoder(counter.name()).applyAsLong(text);
      assertThat((double) counter.count(text)).isCloseTo(exact, within(0.05 * exact));
      double tenfold = counter.count(hostile.text(400_000));
      assertThat(tenfold).isCloseTo(10 * exact, within(0.6 * exact));
    }
  }

  /** The older encoder refuses half characters where assertions are on. */
  private static List<TokenCounter> counters(Hostile hostile) {
    return hostile.name.equals("half characters")
        ? List.of(TokenCounter.O200K_BASE)
        : List.of(TokenCounter.O200K_BASE, TokenCounter.CL100K_BASE);
  }
}

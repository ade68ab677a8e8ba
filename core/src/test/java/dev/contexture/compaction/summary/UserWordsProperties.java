package dev.contexture.compaction.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Words of users in random amounts, merged again and again. */
class UserWordsProperties {
  private static final TokenMeter METER = TokenMeter.of(TokenCounter.O200K_BASE);
  private static final List<String> SENTENCES =
      List.of(
          "I must be back by 7 pm.",
          "Ok, thanks!",
          "Meine Schwester ist allergisch gegen Nüsse.",
          "Ne réservez jamais avant le 3 mai.",
          "Мой адрес: ул. Ленина 5, кв. 12.",
          "预算最多900欧元。",
          "The order is #A-4711, e.g. for Dr. Smith.",
          "What do you think about it?",
          "لا أريد السفر ليلاً.");

  @Property(tries = 200)
  void mergingLosesNothingThatFits(@ForAll long seed) {
    Random random = new Random(seed);
    UserWords words = new UserWords(METER);
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      words.add(TurnId.of("t" + i), i + 1, path(i), message(random, i));
    }
    long all =
        words.choose(Long.MAX_VALUE / 4).entries().stream().mapToLong(SummaryEntry::tokens).sum();
    UserWords.Choice first = words.choose(all);
    assertThat(first.leftOut()).isEmpty();
    UserWords merged = new UserWords(METER);
    first.entries().forEach(e -> merged.add(e.turn(), e.seq(), e.blockPath(), e.text()));
    assertThat(merged.choose(all).entries()).isEqualTo(first.entries());
    merged.add(TurnId.of("last"), 99, null, "And one more thing.");
    UserWords.Choice tight = merged.choose(all);
    assertThat(tight.entries().stream().mapToLong(SummaryEntry::tokens).sum())
        .isLessThanOrEqualTo(all);
  }

  @Property(tries = 200)
  void whatIsKeptIsVerbatimAndEndsAtAWord(@ForAll long seed) {
    Random random = new Random(seed);
    UserWords words = new UserWords(METER);
    StringBuilder said = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      String message = message(random, i);
      said.append(message).append('\n');
      words.add(TurnId.of("t" + i), i + 1, path(i), message);
    }
    UserWords.Choice choice = words.choose(1 + random.nextInt(120));
    for (SummaryEntry entry : choice.entries()) {
      String text = entry.text().endsWith(" …") ? entry.text().replaceAll(" …$", "") : entry.text();
      int at = said.indexOf(text);
      assertThat(at).as(text).isNotNegative();
      int end = at + text.length();
      boolean inside =
          end < said.length()
              && Character.isLetterOrDigit(said.charAt(end))
              && Character.isLetterOrDigit(said.charAt(end - 1))
              && !Character.isIdeographic(said.charAt(end - 1))
              && !Character.isIdeographic(said.charAt(end));
      assertThat(inside).as(text).isFalse();
    }
    assertThat(choice.entries().isEmpty() && choice.leftOut().isEmpty()).isFalse();
  }

  private static BlockPath path(int turn) {
    return BlockPath.userPrompt(TurnId.of("t" + turn));
  }

  private static String message(Random random, int i) {
    StringBuilder text = new StringBuilder("Message " + i + " says this.");
    for (int s = random.nextInt(6); s > 0; s--) {
      text.append(random.nextBoolean() ? " " : "\n");
      text.append(SENTENCES.get(random.nextInt(SENTENCES.size())));
    }
    return text.toString();
  }
}

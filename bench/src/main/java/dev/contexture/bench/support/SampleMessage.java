package dev.contexture.bench.support;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One message of a conversation in which user and assistant take turns.
 *
 * @param byUser whether the user said it, not the assistant
 * @param text about 600 bytes
 */
public record SampleMessage(boolean byUser, String text) {
  private static final int WORDS_EACH = 105;
  private static final String[] WORDS =
      ("the user asks for a route and an agent says that order ship total price wants table index"
              + " error in line of module test build value name list item store cache key token")
          .split(" ");

  /** The next messages: those at even positions are the user's. Equal seeds give equal messages. */
  public static List<SampleMessage> list(int firstPosition, int count, SplittableRandom random) {
    List<SampleMessage> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(new SampleMessage((firstPosition + i) % 2 == 0, text(random)));
    }
    return list;
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < WORDS_EACH; i++) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
    }
    return text.append(random.nextInt()).toString();
  }
}

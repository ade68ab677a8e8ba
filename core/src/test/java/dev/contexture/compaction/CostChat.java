package dev.contexture.compaction;

import static dev.contexture.compaction.CostCounter.cost;

import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;

/** Writes the conversations of the vectors: blocks that cost what is given. */
final class CostChat {
  final Chat chat = new Chat();
  private int calls;

  /** Three turns of 100 and an active one with a prompt of 20: 11 blocks, 321 with the system. */
  static Timeline b4() {
    return new CostChat()
        .turn("t1", 50, 50)
        .turn("t2", 50, 50)
        .turn("t3", 50, 50)
        .active("t4", 20)
        .timeline();
  }

  CostChat turn(String id, long prompt, long completion) {
    chat.turn(id).prompt(cost(prompt)).completion(cost(completion));
    return this;
  }

  CostChat active(String id, long prompt) {
    chat.activeTurn(id).prompt(cost(prompt));
    return this;
  }

  CostChat rounds(int count, long call, long result) {
    for (int i = 0; i < count; i++) {
      String id = "c" + ++calls;
      call(id, call).result(id, result);
    }
    return this;
  }

  CostChat call(String id, long tokens) {
    chat.call(id, "tools.run", "{\"c\":\"" + cost(tokens) + "\"}");
    return this;
  }

  CostChat result(String id, long tokens) {
    chat.result(id, cost(tokens));
    return this;
  }

  /** A summary that stands before the next block and covers the turn before. */
  CostChat summaryBefore(String turn, long cutSeq, String... covered) {
    chat.summary(cutSeq, turn, false, covered);
    return this;
  }

  Timeline timeline() {
    return chat.timeline();
  }
}

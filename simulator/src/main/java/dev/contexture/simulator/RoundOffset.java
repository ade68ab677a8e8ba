package dev.contexture.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * Moves the mark that stands some rounds before the end of a request (P-20, PRE_TAIL). A recorded
 * body does not say which point a mark stands for: it is the one on the last block of round N-k. A
 * round ends with a result, or with an answer that calls nothing. All other marks stay.
 */
final class RoundOffset {
  private static final int NONE = -1;
  private static final int MAX_MARKS = 4;

  private final List<SentBlock> blocks;
  private final int tail;
  private final List<Integer> ends = new ArrayList<>();

  private RoundOffset(SentRequest request) {
    this.blocks = request.blocks();
    int last = NONE;
    for (int i = 0; i < blocks.size(); i++) {
      if (inMessages(i) && blocks.get(i).mark().isPresent()) {
        last = i;
      }
    }
    this.tail = last;
    for (int i = 0; i <= tail; i++) {
      if (inMessages(i) && (isResult(i) || isAnswer(i))) {
        ends.add(i);
      }
    }
  }

  /** The same request with the mark at another offset; unchanged where no message is marked. */
  static SentRequest move(SentRequest request, int from, int to) {
    RoundOffset offsets = new RoundOffset(request);
    return offsets.tail == NONE
        ? request
        : new SentRequest(
            request.scope(),
            request.start(),
            request.firstToken(),
            request.explicitOnly(),
            offsets.moved(offsets.at(from), offsets.at(to)));
  }

  private List<SentBlock> moved(int from, int to) {
    List<SentBlock> moved = new ArrayList<>(blocks);
    if (from != NONE) {
      moved.set(from, blocks.get(from).unmarked());
    }
    long marks = moved.stream().filter(block -> block.mark().isPresent()).count();
    if (to != NONE && moved.get(to).mark().isEmpty() && marks < MAX_MARKS) {
      moved.set(to, blocks.get(to).marked(blocks.get(tail).mark().orElseThrow()));
    }
    return moved;
  }

  /** The last block of the round so many before the last, or of the first; before its group. */
  private int at(int offset) {
    if (ends.isEmpty()) {
      return NONE;
    }
    int at = ends.get(Math.max(0, ends.size() - 1 - offset));
    boolean splits = isResult(at) && at + 1 < blocks.size() && isResult(at + 1);
    if (splits) {
      while (at >= 0 && isResult(at)) {
        at--;
      }
      while (at >= 0 && isCall(at)) {
        at--;
      }
    }
    return at >= 0 && at != tail && inMessages(at) ? at : NONE;
  }

  private boolean inMessages(int index) {
    return blocks.get(index).tier() == SentBlock.Tier.MESSAGES;
  }

  private boolean isResult(int index) {
    SentBlock block = blocks.get(index);
    return block.kind().equals("tool_result")
        || block.content().startsWith("tool ")
        || block.content().startsWith("function_call_output ");
  }

  private boolean isCall(int index) {
    String kind = blocks.get(index).kind();
    return kind.equals("tool_use") || kind.equals("function_call");
  }

  private boolean isAnswer(int index) {
    return blocks.get(index).content().startsWith("assistant ")
        && !isCall(index)
        && index + 1 < blocks.size()
        && blocks.get(index + 1).content().startsWith("user ")
        && !isResult(index + 1);
  }
}

package dev.contexture.timeline;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Calls of a turn that were issued together: no result of one of them lies in between. In messages
 * it is one of the assistant and one of the user.
 *
 * <p>Changed only while {@link Rounds} reads the window; afterwards it can be shared.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CallBatch {
  private final List<Round> calls = new ArrayList<>(2);
  private final Set<String> answerIds = new HashSet<>(2);
  private int first;
  private boolean interleaved;

  CallBatch(int first) {
    this.first = first;
  }

  /** The rounds of its calls, in call order. */
  public List<Round> calls() {
    return calls;
  }

  /** The window position of its first block. */
  public int first() {
    return first;
  }

  /** Whether every call of it has a stored result. */
  public boolean closed() {
    for (Round round : calls) {
      if (!round.answered()) {
        return false;
      }
    }
    return true;
  }

  /** Whether something that is not part of it lies between its first and its last block. */
  boolean interleaved() {
    return interleaved;
  }

  void interleave() {
    interleaved = true;
  }

  void startAt(int position) {
    first = Math.min(first, position);
  }

  void addAnswer(String answerId) {
    answerIds.add(answerId);
  }

  boolean isOfAnswer(String answerId) {
    return answerIds.contains(answerId);
  }
}

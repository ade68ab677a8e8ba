package dev.contexture.provider.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Gives calls and results that have no id one of their own: a result belongs to the oldest call
 * before it that has none yet, of the same tool if it names one. Confined to one thread.
 */
final class CallPairs {
  private static final String MADE = "imp_";

  private final List<ForeignMessage.Call> waiting = new ArrayList<>();
  private final Set<String> answered = new HashSet<>();

  private CallPairs() {}

  static List<ForeignMessage> paired(List<ForeignMessage> messages) {
    CallPairs pairs = new CallPairs();
    messages.forEach(pairs::note);
    return messages.stream().map(pairs::named).toList();
  }

  /** Whether an id was made here, so that its provider knows nothing of it. */
  static boolean isMade(String id) {
    return id.startsWith(MADE);
  }

  private void note(ForeignMessage message) {
    for (ForeignMessage.Piece piece : message.pieces()) {
      if (piece instanceof ForeignMessage.Result result && !result.id().isEmpty()) {
        answered.add(result.id());
      }
    }
  }

  private ForeignMessage named(ForeignMessage message) {
    UnaryOperator<ForeignMessage.Piece> named =
        piece ->
            switch (piece) {
              case ForeignMessage.Call call -> called(message, call);
              case ForeignMessage.Result result -> answered(result);
              default -> piece;
            };
    return message.with(message.pieces().stream().map(named).toList());
  }

  private ForeignMessage.Call called(ForeignMessage message, ForeignMessage.Call call) {
    String id = call.id().isEmpty() ? MADE + message.index() + "_" + call.part() : call.id();
    ForeignMessage.Call known =
        new ForeignMessage.Call(call.part(), id, call.tool(), call.arguments());
    if (!answered.contains(id)) {
      waiting.add(known);
    }
    return known;
  }

  private ForeignMessage.Result answered(ForeignMessage.Result result) {
    if (!result.id().isEmpty()) {
      return result;
    }
    String id = oldest(result.tool());
    return id == null
        ? result
        : new ForeignMessage.Result(
            result.part(), id, result.error(), result.content(), result.tool());
  }

  private @Nullable String oldest(@Nullable String tool) {
    for (ForeignMessage.Call call : waiting) {
      if (tool == null || tool.equals(call.tool())) {
        waiting.remove(call);
        return call.id();
      }
    }
    return null;
  }
}

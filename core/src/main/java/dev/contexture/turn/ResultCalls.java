package dev.contexture.turn;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.List;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds the call that a result of a framework answers. Some models give their calls no ids, or the
 * same one again: then the oldest call of that tool that waits is meant.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ResultCalls {
  private ResultCalls() {}

  /**
   * The call that is answered.
   *
   * @param waiting calls without results, in call order
   * @param providerCallId what the result says of its call
   * @param tool which tool gave the result
   * @throws ContextureException {@code unknown_call} if none of them is meant
   */
  public static ToolCall find(
      List<ToolCall> waiting, @Nullable String providerCallId, @Nullable String tool) {
    Predicate<ToolCall> id = call -> blank(call.providerCallId()).equals(blank(providerCallId));
    Predicate<ToolCall> named = call -> call.tool().equals(blank(tool));
    return waiting.stream()
        .filter(id.and(named))
        .findFirst()
        .or(() -> waiting.stream().filter(blank(providerCallId).isEmpty() ? named : id).findFirst())
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.UNKNOWN_CALL,
                    "id of the result of " + tool,
                    providerCallId,
                    waiting.isEmpty() ? "none: no call waits" : "one of " + waiting));
  }

  private static String blank(@Nullable String text) {
    return text == null ? "" : text;
  }
}

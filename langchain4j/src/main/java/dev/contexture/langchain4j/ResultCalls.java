package dev.contexture.langchain4j;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.turn.ToolCall;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the call that a result answers. Some models give their calls no ids, or the same one again:
 * then the oldest call of that tool that waits is meant.
 */
final class ResultCalls {
  private ResultCalls() {}

  static ToolCall find(List<ToolCall> waiting, ToolExecutionResultMessage result) {
    Predicate<ToolCall> id = call -> blank(call.providerCallId()).equals(blank(result.id()));
    Predicate<ToolCall> tool = call -> call.tool().equals(blank(result.toolName()));
    return waiting.stream()
        .filter(id.and(tool))
        .findFirst()
        .or(() -> waiting.stream().filter(blank(result.id()).isEmpty() ? tool : id).findFirst())
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.UNKNOWN_CALL,
                    "id of the result of " + result.toolName(),
                    result.id(),
                    waiting.isEmpty() ? "none: no call waits" : "one of " + waiting));
  }

  private static String blank(@Nullable String text) {
    return text == null ? "" : text;
  }
}

package dev.contexture.turn;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call, to be stored with others in one commit.
 *
 * @param call which call it answers
 * @param answer what came of it
 * @param turn the turn of the call; null: the open one, else the newest that has it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public record CallResult(CallName call, ToolAnswer answer, @Nullable TurnId turn) {
  /** The result of a call that was recorded before. */
  public static CallResult of(CallId call, ToolAnswer answer) {
    return new CallResult(new CallName.Id(call), answer, null);
  }

  /** The result of a call of the answer that the same step brings. */
  public static CallResult ofProviderCall(String providerCallId, ToolAnswer answer) {
    return new CallResult(new CallName.ProviderId(providerCallId), answer, null);
  }

  /** The result of a call of the answer that the same step brings, by its place from 0. */
  public static CallResult ofCall(int index, ToolAnswer answer) {
    return new CallResult(new CallName.Index(index), answer, null);
  }
}

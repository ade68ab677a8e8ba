package dev.contexture.engine.turn;

import dev.contexture.engine.session.Session;
import dev.contexture.view.ReadPolicy;
import org.apiguardian.api.API;

/**
 * The number of tokens that a tool may give back in the open turn: no more than the next render
 * shows, else a preview would ask for the same again.
 *
 * @param one of one path or search
 * @param all of all paths of one read
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public record ReadAllowance(long one, long all) {
  /**
   * The allowance now. Inside the session's lock.
   *
   * @param maxTokens the budget of the context, if neither the settings of the turn nor a render of
   *     it says less
   */
  public static ReadAllowance of(Session session, long maxTokens) {
    Long set = SettingsReader.of(session).ofOpenTurn().maxTokens();
    long budget = set == null ? maxTokens : Math.min(maxTokens, set);
    long stream =
        Math.min(budget, session.current().seen().streamTokens(session.current().timeline()));
    return new ReadAllowance(ReadPolicy.capTokens(stream, stream), ReadPolicy.totalTokens(stream));
  }
}

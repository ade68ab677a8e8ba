package dev.contexture.simulator;

import java.util.List;
import org.apiguardian.api.API;

/**
 * One request as a cache sees it.
 *
 * @param scope what a cache is shared within: workspace or organisation, and the model
 * @param start when it was sent, in seconds from any fixed point
 * @param firstToken when its answer began: from then on others can read what it wrote
 * @param explicitOnly whether only marks are written, and not the ends of messages too
 * @param blocks all of it, in order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SentRequest(
    String scope, double start, double firstToken, boolean explicitOnly, List<SentBlock> blocks) {
  public SentRequest {
    if (!(firstToken >= start)) {
      throw new IllegalArgumentException(
          "the answer began at " + firstToken + ", before the request at " + start);
    }
    blocks = List.copyOf(blocks);
  }

  /** A request whose answer begins at once. */
  public static SentRequest at(double start, List<SentBlock> blocks) {
    return new SentRequest("", start, start, false, blocks);
  }
}

package dev.contexture.turn;

import java.util.List;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * The result of contributing blocks.
 *
 * @param version of the conversation with them
 * @param seqs their sequence numbers in order; empty for one that is not persisted
 * @param late whether they are the result of a call that had ended before it came
 */
@API(status = API.Status.STABLE, since = "0.1")
public record AppendResult(long version, List<OptionalLong> seqs, boolean late) {
  public AppendResult {
    seqs = List.copyOf(seqs);
  }

  public AppendResult(long version, List<OptionalLong> seqs) {
    this(version, seqs, false);
  }
}

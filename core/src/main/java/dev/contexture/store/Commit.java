package dev.contexture.store;

import java.util.List;
import java.util.stream.LongStream;
import org.apiguardian.api.API;

/** The result of committing a write set. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Commit {

  /**
   * Applied, and durable.
   *
   * @param version of the conversation, with this commit; 0 if the set is of no conversation
   * @param firstSeq the sequence number of the first appended block; 0 if none was
   * @param blocks how many blocks were appended, with sequence numbers without a gap
   * @param lastEvent the number of the last memory event that was added; 0 if none was
   */
  record Committed(long version, long firstSeq, int blocks, long lastEvent) implements Commit {
    /** One that added no memory event. */
    public Committed(long version, long firstSeq, int blocks) {
      this(version, firstSeq, blocks, 0);
    }

    /** The sequence numbers of the appended blocks, in order. */
    public List<Long> seqs() {
      return LongStream.range(firstSeq, firstSeq + blocks).boxed().toList();
    }
  }

  /**
   * Not applied: something did not hold. Nothing changed.
   *
   * @param version of the conversation when this was found; 0 if there is none
   * @param reason the first thing that did not hold
   */
  record Conflict(long version, Reason reason) implements Commit {}
}

package dev.contexture.provider.wire;

import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.WireFinding;
import dev.contexture.render.Message;
import dev.contexture.request.RequestBlock;
import dev.contexture.view.MessageRole;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a body as they were written, without marks, for the next body that begins with
 * the same ones. Immutable.
 *
 * @param model whom it was for
 * @param messages what was written
 * @param stableParts how many parts of them the next request was to repeat
 * @param pieces all pieces
 * @param blocks all blocks
 * @param places where these are
 * @param groups calls with their results: first and last block
 * @param ends by part that was written: its index in its message, and the last block then
 * @param findings what was odd
 * @param repairs what was left out
 * @param stops where it stood before the first message, and after each
 */
record PreviousBody(
    ModelRef model,
    List<Message> messages,
    int stableParts,
    List<byte[]> pieces,
    List<RequestBlock> blocks,
    List<MarkableBlocks.Place> places,
    List<int[]> groups,
    List<int[]> ends,
    List<WireFinding> findings,
    List<Repair> repairs,
    List<Stop> stops) {
  static final PreviousBody NOTHING =
      new PreviousBody(
          new ModelRef("none", "none"),
          List.of(),
          0,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of());

  /**
   * Between two messages.
   *
   * @param pieces how many there were; so are the other numbers
   * @param encodings how many parts were looked up
   * @param behindLast the first piece behind the last block
   * @param groups what is known of calls
   * @param place where the format stands
   */
  record Stop(
      int pieces,
      int blocks,
      int ends,
      int findings,
      int repairs,
      int parts,
      int encodings,
      int omittedOpaque,
      int behindLast,
      MarkableBlocks.Groups groups,
      Place place) {
    /** Whether what stands before is of the same size in another body. */
    boolean isLike(Stop other) {
      return pieces == other.pieces
          && blocks == other.blocks
          && findings == other.findings
          && behindLast == other.behindLast;
    }
  }

  /**
   * The place where a body goes on.
   *
   * @param speaker of the message that is open; null: none is
   * @param message the index of that message, or of the next one
   * @param content the index of its next part
   */
  record Place(@Nullable MessageRole speaker, int message, int content) {}

  /** How many messages another body may begin with, in which as many parts are to stay. */
  @SuppressWarnings("ReferenceEquality") // messages do not change, and comparing texts costs time
  int shared(ModelRef asked, List<Message> next, int stable) {
    if (!model.equals(asked)) {
      return 0;
    }
    int most = Math.min(messages.size(), next.size());
    int same = 0;
    while (same < most && messages.get(same) == next.get(same)) {
      same++;
    }
    int staying = Math.min(stable, stableParts);
    while (same > 0 && stops.get(same).parts > staying) {
      same--;
    }
    return same;
  }
}

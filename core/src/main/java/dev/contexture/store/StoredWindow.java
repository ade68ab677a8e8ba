package dev.contexture.store;

import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Visibility;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The stored data that the next render needs, all of one state: everything from the newest usable
 * summary on.
 *
 * @param head where the conversation stands
 * @param summary the newest usable summary, if there is one
 * @param carried if the first block belongs to a turn that began before the summary's cut: that
 *     turn's first block and its header, prompt and attachment.meta blocks before the cut
 * @param blocks those from the cut on, oldest first, without excluded turns and archived ranges
 * @param turns the turns of {@code carried} and {@code blocks} and the open one, in the order in
 *     which they were first put
 * @param archived all archived ranges that reach behind the cut, by their first block
 * @param visibility the records of {@code carried} and {@code blocks}, by sequence number
 * @param sources the sources pool by sid, with the rows that are no longer visible
 * @param turnScoped what is kept with open turns; empty if nothing is
 * @param pins paths that stay in context, in the order in which they were pinned
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StoredWindow(
    Head head,
    @Nullable Summary summary,
    List<StoredBlock> carried,
    List<StoredBlock> blocks,
    List<StoredTurn> turns,
    List<ArchivedRange> archived,
    List<Visibility> visibility,
    List<SourceRow> sources,
    List<TurnScoped> turnScoped,
    List<PinRow> pins) {
  public StoredWindow {
    carried = List.copyOf(carried);
    blocks = List.copyOf(blocks);
    turns = List.copyOf(turns);
    archived = List.copyOf(archived);
    visibility = List.copyOf(visibility);
    sources = List.copyOf(sources);
    turnScoped = List.copyOf(turnScoped);
    pins = List.copyOf(pins);
  }

  /**
   * The data that is kept with one turn and goes when it closes.
   *
   * @param turn the turn
   * @param announce the announce blocks
   * @param transients blocks without a sequence number, in order
   * @param pendingAnswer the last answer of the turn, if it has no calls and no request has shown
   *     it
   */
  public record TurnScoped(
      TurnId turn,
      List<Block> announce,
      List<Transient> transients,
      @Nullable JsonObject pendingAnswer) {
    public TurnScoped {
      announce = List.copyOf(announce);
      transients = List.copyOf(transients);
    }
  }

  /**
   * A block without a sequence number.
   *
   * @param afterSeq it stands behind this stored block, and behind earlier ones of the same place
   * @param block its content
   */
  public record Transient(long afterSeq, Block block) {}
}

package dev.contexture.timeline;

import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.SendableText;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A summary that is shown in place of everything before a block. It has no sequence number and
 * moves nothing: it is shown directly before the block with {@code seq = cutSeq}.
 *
 * @param id its key
 * @param cutSeq the first block that is still shown
 * @param fromSeq the first block that it stands for
 * @param turn the turn of the cut block
 * @param text what is shown
 * @param mainText the part about whole turns
 * @param splitText the part about the turn that the cut divides; empty if it divides none
 * @param meta {@code covered_turn_ids}, {@code compaction_digest}, {@code split_turn_id}, {@code
 *     carried}
 * @param createdAt when it was made
 * @param withdrawn whether it was taken back
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Summary(
    String id,
    long cutSeq,
    long fromSeq,
    TurnId turn,
    String text,
    String mainText,
    String splitText,
    JsonObject meta,
    Instant createdAt,
    boolean withdrawn) {
  public Summary {
    text = SendableText.of(text);
    mainText = SendableText.of(mainText);
    splitText = SendableText.of(splitText);
    meta = SendableText.of(meta);
  }

  /** By what they stand for: the one with the higher cut, then the later one, is newer. */
  static final Comparator<Summary> OLDEST_FIRST =
      Comparator.comparingLong(Summary::cutSeq).thenComparing(Summary::createdAt);

  public BlockPath path() {
    return BlockPath.summary(turn);
  }

  /** The turns that it covers at least in part, oldest first. */
  public List<TurnId> coveredTurns() {
    return meta.array("covered_turn_ids").stream()
        .flatMap(ids -> ids.items().stream())
        .filter(JsonString.class::isInstance)
        .map(id -> TurnId.of(((JsonString) id).value()))
        .toList();
  }

  /** Whether the divided turn's prompt is shown again behind the summary. */
  public boolean carriesPrompt() {
    return meta.object("carried").map(carried -> carried.isTrue("prompt")).orElse(false);
  }

  /** The same summary, taken back. */
  public Summary withdraw() {
    return new Summary(id, cutSeq, fromSeq, turn, text, mainText, splitText, meta, createdAt, true);
  }
}

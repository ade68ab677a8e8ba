package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.view.StreamItem;
import java.time.Instant;
import java.util.Optional;

/** The beginning and the end of a block that is too large to be shown whole. */
final class Previews {
  private Previews() {}

  /** Whether a block may become a preview. */
  static boolean isPossible(StreamItem item) {
    BlockType type = item.type();
    return (type.isResult() || type.equals(BlockType.USER_ATTACHMENT_TEXT))
        && !item.replaced()
        && item.seq().isPresent()
        && item.path().isPresent()
        && item.block().flatMap(Block::text).isPresent();
  }

  /**
   * The record that shows a block as its preview. The text follows from the block and the budget
   * alone: what it says of the size is counted in the same encoding for every model.
   *
   * @param maxTokens the budget of the views that show it; {@link Visibility#ALL_VIEWS}: all
   * @param chars how many characters are shown; they follow from that budget
   */
  static Optional<Visibility> of(TimelineEntry entry, long maxTokens, int chars, Instant now) {
    Block block = entry.block();
    if (block.text().isEmpty() || block.path().isEmpty() || entry.seq().isEmpty()) {
      return Optional.empty();
    }
    long tokens = TokenCounter.O200K_BASE.count(block.text().get());
    String text = text(block.text().get(), block.path().get(), tokens, chars);
    return Optional.of(
        new Visibility(
            entry.seq().getAsLong(), text, Visibility.Reason.OVERSIZE, now, maxTokens, null));
  }

  /**
   * The preview of a text.
   *
   * @param chars how many of its characters are shown: seven tenths from its beginning
   */
  static String text(String whole, BlockPath path, long cost, int chars) {
    int length = whole.codePointCount(0, whole.length());
    int shown = Math.min(chars, length);
    int head = shown * 7 / 10;
    String first = whole.substring(0, whole.offsetByCodePoints(0, head));
    String last = whole.substring(whole.offsetByCodePoints(whole.length(), head - shown));
    return String.join(
        "\n",
        "[PREVIEW] " + cost + " tokens, " + length + " chars. Full text: react.read " + path,
        first,
        "... [" + (length - shown) + " chars omitted] ...",
        last);
  }
}

package dev.contexture.view;

import dev.contexture.block.BlockType;
import dev.contexture.timeline.TimelineEntry;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds the blocks that are sent beside a call in the answer that it came with: thinking, which
 * must find the answer unchanged, and the call's own form as its maker wrote it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SentForms {
  private static final Set<BlockType> SAID =
      Set.of(
          BlockType.MODEL_OPAQUE,
          BlockType.REACT_NOTES,
          BlockType.REACT_TOOL_CODE,
          BlockType.REACT_TOOL_CALL);

  /** Ends the names of what a maker signs its thinking with. */
  private static final String SIGNATURE = "ignature\":";

  private SentForms() {}

  /** Whether the stream sends thinking in the answer of a call. */
  public static boolean isThinkingSent(List<StreamItem> items, int call) {
    return isThinkingSent(
        i -> items.get(i).entry().orElse(null), i -> items.get(i).emission(), items.size(), call);
  }

  /** Whether the item before a call is its form as the maker wrote it. */
  public static boolean hasFormBefore(List<StreamItem> items, int call) {
    TimelineEntry before = call == 0 ? null : items.get(call - 1).entry().orElse(null);
    return before != null && isForm(before, items.get(call).entry().orElseThrow());
  }

  /** Whether an opaque block is the form of the call behind it. */
  static boolean isForm(TimelineEntry opaque, TimelineEntry call) {
    return opaque.block().type().equals(BlockType.MODEL_OPAQUE)
        && opaque.block().meta().isTrue("verbatim")
        && call.block().type().isCall()
        && opaque.answerId().isPresent()
        && opaque.answerId().equals(call.answerId())
        && opaque.block().meta().find("wire_order").equals(call.block().meta().find("wire_order"));
  }

  static boolean isThinkingSent(
      IntFunction<@Nullable TimelineEntry> entries,
      IntFunction<Emission> emissions,
      int size,
      int call) {
    for (int i = call - 1; i >= 0 && isSameAnswer(entries, call, i); i--) {
      if (isOpaque(entries.apply(i)) && isThinking(emissions.apply(i))) {
        return true;
      }
    }
    for (int i = call + 1; i < size && isSameAnswer(entries, call, i); i++) {
      if (isOpaque(entries.apply(i)) && isThinking(emissions.apply(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSameAnswer(
      IntFunction<@Nullable TimelineEntry> entries, int call, int other) {
    TimelineEntry one = entries.apply(call);
    TimelineEntry two = entries.apply(other);
    return one != null
        && two != null
        && one.turn().equals(two.turn())
        && SAID.contains(two.block().type())
        && one.answerId().equals(two.answerId());
  }

  private static boolean isOpaque(@Nullable TimelineEntry entry) {
    return entry != null && entry.block().type().equals(BlockType.MODEL_OPAQUE);
  }

  private static boolean isThinking(Emission emission) {
    for (Part part : emission.parts()) {
      if (part instanceof Part.Opaque opaque
          && (!opaque.verbatim() || opaque.raw().contains(SIGNATURE))) {
        return true;
      }
    }
    return false;
  }
}

package dev.contexture.engine.request;

import dev.contexture.block.BlockType;
import dev.contexture.prompt.MemoryUpdate;
import dev.contexture.render.RenderedContext;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the conversation for models whose thinking is bound to everything before it.
 * What an earlier request said there is part of the conversation by now, so that it is said again
 * only if it changed; what it said of memory is taken back when it is not true any more.
 *
 * @param said the newest text of each kind in the conversation
 */
record BoundTail(Map<String, String> said) {
  private static final List<String> KINDS =
      List.of("[SOURCES POOL]", MemoryUpdate.OPEN.strip(), "<recent_activity>");

  static BoundTail of(@Nullable RenderedContext context) {
    Map<String, String> said = new HashMap<>();
    if (context != null) {
      for (var item : context.view().items()) {
        if (item.type().equals(BlockType.CONTEXT_TAIL)) {
          String text = item.block().flatMap(block -> block.text()).orElse("");
          kind(text, said::put);
        }
      }
    }
    return new BoundTail(said);
  }

  private static void kind(String text, java.util.function.BiConsumer<String, String> found) {
    KINDS.stream().filter(text::startsWith).forEach(kind -> found.accept(kind, text));
  }

  /** Whether the conversation says it already, and nothing newer of its kind. */
  boolean says(Part part) {
    return part instanceof Part.Text text
        && KINDS.stream()
            .anyMatch(kind -> text.text().startsWith(kind) && text.text().equals(said.get(kind)));
  }

  /** The texts that still have to be said. */
  List<String> left(List<String> texts) {
    List<String> left = new ArrayList<>();
    boolean update = false;
    for (String text : texts) {
      update |= text.startsWith(MemoryUpdate.OPEN);
      if (!says(new Part.Text(text))) {
        left.add(text);
      }
    }
    String before = said.get(MemoryUpdate.OPEN.strip());
    if (!update && before != null && !before.equals(MemoryUpdate.REVOKED)) {
      left.add(MemoryUpdate.REVOKED);
    }
    return left;
  }
}

package dev.contexture.engine.request;

import dev.contexture.prompt.MemoryUpdate;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts behind the conversation, for models whose thinking is bound to everything before it.
 * What an earlier request said there is part of the conversation by now, so that it is said again
 * only if it changed; what it said of memory is taken back when it is not true any more.
 *
 * @param said the newest text of each kind in the conversation
 */
record BoundTail(Map<String, String> said) {
  /** How a text about recent activity begins. */
  static final String ACTIVITY = "<recent_activity>";

  private static final String UPDATE = MemoryUpdate.OPEN.strip();
  private static final List<String> KINDS = List.of(UPDATE, ACTIVITY);

  static BoundTail of(View view) {
    Map<String, String> said = new HashMap<>();
    for (String kind : KINDS) {
      view.lastTail(kind).ifPresent(text -> said.put(kind, text));
    }
    return new BoundTail(said);
  }

  /** Whether the conversation says it already, and nothing newer of its kind. */
  private boolean says(String text) {
    return KINDS.stream().anyMatch(kind -> text.startsWith(kind) && text.equals(said.get(kind)));
  }

  /** The texts that still have to be said. */
  List<String> left(List<String> texts) {
    List<String> left = new ArrayList<>();
    boolean update = false;
    for (String text : texts) {
      update |= text.startsWith(MemoryUpdate.OPEN);
      if (!says(text)) {
        left.add(text);
      }
    }
    String before = said.get(UPDATE);
    if (!update && before != null && !before.equals(MemoryUpdate.REVOKED)) {
      left.add(MemoryUpdate.REVOKED);
    }
    return left;
  }
}

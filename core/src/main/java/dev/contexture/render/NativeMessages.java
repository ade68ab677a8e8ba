package dev.contexture.render;

import dev.contexture.block.Block;
import dev.contexture.timeline.CallBatch;
import dev.contexture.timeline.Entry;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.view.Part;
import dev.contexture.view.Role;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lays the stable stream out as messages (T-37 to T-42).
 *
 * <ol>
 *   <li>A block that is not part of a call batch goes to its own place, in its own role.
 *   <li>A batch goes, whole, to the place of its first block: what the model said and its calls,
 *       then the results in call order. What lay between follows.
 *   <li>Adjacent messages of one role merge, and the first one is the user's.
 * </ol>
 *
 * Used once, by one thread.
 */
final class NativeMessages {
  private static final String CONTINUES = "[conversation continues]";

  private final List<StreamItem> items;
  private final List<Role> roles = new ArrayList<>();
  private final List<List<Part>> parts = new ArrayList<>();
  private final int[] messageOf;
  private final int[] partOf;

  NativeMessages(View view) {
    this.items = view.items();
    this.messageOf = new int[items.size()];
    this.partOf = new int[items.size()];
    Arrays.fill(messageOf, -1);
    layOut();
    if (!roles.isEmpty() && roles.getFirst() == Role.ASSISTANT) {
      startWithUser();
    }
  }

  /** The messages, then the tail's texts as the user's. */
  List<Message> messages(List<RenderedPart> tail) {
    tail.forEach(text -> append(Role.USER, text.part()));
    List<Message> messages = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      messages.add(new Message(roles.get(i), parts.get(i)));
    }
    return messages;
  }

  /** The message that holds the last part of an item, or of the nearest emitted one before it. */
  int messageOf(int item) {
    return messageOf[emittedAtOrBefore(item)];
  }

  int partOf(int item) {
    return partOf[emittedAtOrBefore(item)];
  }

  private int emittedAtOrBefore(int item) {
    int at = item;
    while (at > 0 && messageOf[at] < 0) {
      at--;
    }
    return at;
  }

  private void layOut() {
    IdentityHashMap<CallBatch, List<Integer>> members = members();
    for (int i = 0; i < items.size(); i++) {
      CallBatch batch = items.get(i).batch().orElse(null);
      if (batch == null) {
        own(i);
        continue;
      }
      List<Integer> positions = members.remove(batch);
      if (positions != null) {
        batch(batch, positions);
      }
    }
  }

  private IdentityHashMap<CallBatch, List<Integer>> members() {
    IdentityHashMap<CallBatch, List<Integer>> members = new IdentityHashMap<>();
    for (int i = 0; i < items.size(); i++) {
      CallBatch batch = items.get(i).batch().orElse(null);
      if (batch != null) {
        members.computeIfAbsent(batch, unused -> new ArrayList<>(4)).add(i);
      }
    }
    return members;
  }

  private void own(int index) {
    StreamItem item = items.get(index);
    for (Part part : item.emission().parts()) {
      append(item.emission().role(), part);
    }
    mark(index);
  }

  private void batch(CallBatch batch, List<Integer> positions) {
    Map<Round, List<Integer>> contents = new HashMap<>();
    for (int index : positions) {
      StreamItem item = items.get(index);
      if (item.place() == Rounds.Place.IN_RESULT) {
        Round round = item.round().orElseThrow();
        contents.computeIfAbsent(round, unused -> new ArrayList<>(2)).add(index);
      } else {
        own(index);
      }
    }
    for (Round round : batch.calls()) {
      List<Integer> content = contents.get(round);
      if (content != null) {
        result(round, content);
      }
    }
  }

  private void result(Round round, List<Integer> content) {
    List<Part> inner = new ArrayList<>();
    boolean error = false;
    for (int index : content) {
      StreamItem item = items.get(index);
      inner.addAll(item.emission().parts());
      Block block = item.block().orElseThrow();
      error |= block.type().isResult() && block.isError();
    }
    append(
        Role.USER, new Part.ToolResult(round.id(), providerCallId(round, content), error, inner));
    content.forEach(this::mark);
  }

  private @Nullable String providerCallId(Round round, List<Integer> content) {
    return round
        .call()
        .flatMap(Entry::providerCallId)
        .or(
            () ->
                content.stream()
                    .flatMap(i -> items.get(i).entry().stream())
                    .flatMap(entry -> entry.providerCallId().stream())
                    .findFirst())
        .orElse(null);
  }

  private void append(Role role, Part part) {
    if (roles.isEmpty() || roles.getLast() != role) {
      roles.add(role);
      parts.add(new ArrayList<>());
    }
    parts.getLast().add(part);
  }

  private void mark(int index) {
    messageOf[index] = roles.size() - 1;
    partOf[index] = parts.getLast().size() - 1;
  }

  private void startWithUser() {
    roles.addFirst(Role.USER);
    parts.addFirst(new ArrayList<>(List.of(new Part.Text(CONTINUES))));
    for (int i = 0; i < messageOf.length; i++) {
      messageOf[i] += messageOf[i] < 0 ? 0 : 1;
    }
  }
}

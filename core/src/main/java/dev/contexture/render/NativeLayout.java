package dev.contexture.render;

import dev.contexture.block.Block;
import dev.contexture.error.Cancellation;
import dev.contexture.timeline.CallBatch;
import dev.contexture.timeline.GrowingList;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lays a stable stream out as messages.
 *
 * <ol>
 *   <li>A block that is not part of a call batch goes to its own place, in its own role.
 *   <li>A batch goes, whole, to the place of its first block: what the model said and its calls,
 *       then the results in call order. What lay between follows.
 *   <li>Adjacent messages of one role merge, and the first one is the user's.
 * </ol>
 *
 * It remembers what it laid out last. Of the next stream it takes over what is the same, up to the
 * last place where no batch was open, so that messages and parts stay the same objects.
 *
 * <p>Confined to one thread at a time.
 */
final class NativeLayout {
  private static final Message FILLER = new Message(MessageRole.USER, List.of(Part.FILLER));

  private final List<Part> open = new ArrayList<>(); // the parts of the last message
  private GrowingList<Message> done = GrowingList.empty(); // the messages before it
  private @Nullable MessageRole role; // of the last message; null: there is none
  private boolean filled; // whether the first message is the filler
  private final IdentityHashMap<CallBatch, Integer> firstItems = new IdentityHashMap<>();
  private @Nullable View view;
  private List<StreamItem> items = List.of();
  private int[] messageOf = new int[64];
  private int[] partOf = new int[64];
  private int[] messagesBefore = new int[64]; // by item: how many messages there were, or -1 if a
  private int[] partsBefore = new int[64]; // batch was open; and parts in the last one

  /** How many messages a stream of its own becomes. */
  static int count(List<StreamItem> items) {
    NativeLayout layout = new NativeLayout();
    layout.layOut(items, 0);
    return layout.size() - (layout.filled ? 1 : 0);
  }

  /** Lays the stream out; the answers below are about it. */
  void layOut(View stream) {
    int from = goBack(stream);
    view = stream;
    layOut(stream.items(), from);
  }

  private void layOut(List<StreamItem> next, int from) {
    items = next;
    ensureCapacity(next.size());
    Arrays.fill(messageOf, from, next.size(), -1);
    IdentityHashMap<CallBatch, List<Integer>> members = members(from);
    int openUntil = from - 1;
    int answerUntil = from - 1;
    for (int i = from; i < next.size(); i++) {
      Cancellation.check();
      boolean whole = openUntil < i;
      messagesBefore[i] = whole ? size() : -1;
      partsBefore[i] = whole ? open.size() : 0;
      CallBatch batch = next.get(i).batch().orElse(null);
      List<Integer> positions = batch == null ? null : members.remove(batch);
      if (i <= answerUntil) {
        continue; // laid out with the first part of its answer
      }
      if (batch == null) {
        answerUntil = AnswerParts.end(next, i);
        answer(i, answerUntil);
        openUntil = Math.max(openUntil, answerUntil > i ? answerUntil : openUntil);
      } else if (positions != null) {
        firstItems.put(batch, i);
        batch(batch, positions);
        openUntil = Math.max(openUntil, positions.getLast());
      }
    }
  }

  /** Forgets what the next stream changes; returns the first item to lay out again. */
  private int goBack(View next) {
    int same = view == null ? 0 : view.firstDifference(next, 0);
    int from = Math.min(firstOfBatches(next.items(), same), firstOfBatches(items, same));
    while (from > 0 && (from >= items.size() || messagesBefore[from] < 0)) {
      from--;
    }
    truncate(from == 0 ? 0 : messagesBefore[from], from == 0 ? 0 : partsBefore[from]);
    if (from == 0) {
      firstItems.clear();
    }
    return from;
  }

  /** The first item of a batch that has one at or behind an index; the index if there is none. */
  private int firstOfBatches(List<StreamItem> stream, int index) {
    int first = index;
    for (int i = index; i < stream.size(); i++) {
      CallBatch batch = stream.get(i).batch().orElse(null);
      Integer known = batch == null ? null : firstItems.get(batch);
      first = known == null ? first : Math.min(first, known);
    }
    return first;
  }

  private void truncate(int messages, int partsInLast) {
    if (messages < size()) {
      Message last = messages == 0 ? null : done.get(messages - 1);
      done = done.first(Math.max(0, messages - 1));
      filled &= messages > 0;
      role = last == null ? null : last.role();
      open.clear();
      open.addAll(last == null ? List.of() : last.parts());
    }
    open.subList(partsInLast, open.size()).clear();
  }

  /** How many messages there are. */
  private int size() {
    return done.size() + (role == null ? 0 : 1);
  }

  private void ensureCapacity(int size) {
    if (size > messageOf.length) {
      int capacity = Math.max(size, messageOf.length + (messageOf.length >> 1));
      messageOf = Arrays.copyOf(messageOf, capacity);
      partOf = Arrays.copyOf(partOf, capacity);
      messagesBefore = Arrays.copyOf(messagesBefore, capacity);
      partsBefore = Arrays.copyOf(partsBefore, capacity);
    }
  }

  /** The messages, then the tail's texts as the user's. */
  List<Message> messages(List<RenderedPart> tail) {
    GrowingList<Message> messages = done;
    List<Part> last = new ArrayList<>(open);
    MessageRole speaks = role;
    if (!tail.isEmpty()) {
      if (speaks == MessageRole.ASSISTANT) {
        messages = messages.append(new Message(speaks, last));
        last.clear();
      }
      tail.forEach(text -> last.add(text.part()));
      speaks = MessageRole.USER;
    }
    return speaks == null ? messages : messages.append(new Message(speaks, last));
  }

  /** Where the parts of the messages come from. */
  PartOrigins origins() {
    return PartOrigins.of(items, messageOf, partOf);
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

  /** An item of its own, or an answer without calls: from its first opaque part to its text. */
  private void answer(int first, int last) {
    if (first == last && !AnswerParts.isSplit(items.get(first))) {
      own(first);
      return;
    }
    for (Part part : AnswerParts.of(items.subList(first, last + 1))) {
      append(MessageRole.ASSISTANT, part);
    }
    for (int i = first; i <= last; i++) {
      mark(i);
    }
  }

  private void own(int index) {
    StreamItem item = items.get(index);
    for (Part part : item.emission().parts()) {
      if (!AnswerParts.isVerbatim(part) || standsForNext(index)) {
        append(item.emission().role(), part);
      }
    }
    mark(index);
  }

  /** Whether the next item is what a verbatim part stands for, shown as it is. */
  private boolean standsForNext(int index) {
    if (index + 1 >= items.size() || items.get(index + 1).replaced()) {
      return false;
    }
    return place(items.get(index)).equals(place(items.get(index + 1)));
  }

  private static List<Optional<?>> place(StreamItem item) {
    Optional<Block> block = item.block();
    return List.of(
        item.entry().flatMap(TimelineEntry::answerId),
        block.flatMap(known -> known.meta().find("wire_order")));
  }

  private IdentityHashMap<CallBatch, List<Integer>> members(int from) {
    IdentityHashMap<CallBatch, List<Integer>> members = new IdentityHashMap<>();
    for (int i = from; i < items.size(); i++) {
      CallBatch batch = items.get(i).batch().orElse(null);
      if (batch != null) {
        members.computeIfAbsent(batch, unused -> new ArrayList<>(4)).add(i);
      }
    }
    return members;
  }

  private void batch(CallBatch batch, List<Integer> positions) {
    Map<Round, List<Integer>> contents = new HashMap<>();
    for (int i : positions) {
      StreamItem item = items.get(i);
      if (item.place() == Rounds.Place.IN_RESULT) {
        Round round = item.round().orElseThrow();
        contents.computeIfAbsent(round, unused -> new ArrayList<>(2)).add(i);
      } else {
        own(i);
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
        MessageRole.USER,
        new Part.ToolResult(round.id(), providerCallId(round, content), error, inner));
    content.forEach(this::mark);
  }

  private @Nullable String providerCallId(Round round, List<Integer> content) {
    return round
        .call()
        .flatMap(TimelineEntry::providerCallId)
        .or(
            () ->
                content.stream()
                    .flatMap(i -> items.get(i).entry().stream())
                    .flatMap(entry -> entry.providerCallId().stream())
                    .findFirst())
        .orElse(null);
  }

  private void append(MessageRole speaks, Part part) {
    if (role == null && speaks == MessageRole.ASSISTANT) {
      done = done.append(FILLER);
      filled = true;
    } else if (role != null && role != speaks) {
      done = done.append(new Message(role, open));
      open.clear();
    }
    role = speaks;
    open.add(part);
  }

  private void mark(int index) {
    if (role != null) {
      messageOf[index] = done.size();
      partOf[index] = open.size() - 1;
    }
  }
}

package dev.contexture.engine.search;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.search.IndexChange;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what has to be written when turns changed or were erased. What stands around a message is
 * part of how it is found, so that the messages next to a changed turn are written again, too.
 *
 * <p>Of a turn that only grew, just the new messages and those next to them are written. Confined
 * to the thread that indexes a scope.
 */
final class MessageChanges {
  /** How far to look for the next messages at first, which is enough nearly always. */
  private static final int REACH = 8;

  /** How far to look at most; blocks that cannot be found lie between messages. */
  private static final int FAR_REACH = 64;

  /** Messages needed on each side: the neighbours, which are written again, and their own. */
  private static final int NEEDED = 2 * MessageEntries.NEIGHBOURS;

  private static final int MAX_GROWN = 4_096;

  private final Store store;
  private final Map<String, Long> indexedUpTo =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MAX_GROWN;
        }
      };

  /** Turns as they were read since {@link #begin}: next to each other, they ask for the same. */
  private final Map<String, Optional<StoredTurn>> turns = new HashMap<>();

  MessageChanges(Store store) {
    this.store = store;
  }

  /** Starts with changes that were read just now: what was read of turns before may be older. */
  void begin() {
    turns.clear();
  }

  private Optional<StoredTurn> turn(Scope.OfConversation conversation, TurnId turn) {
    return turns.computeIfAbsent(
        MessageEntries.group(conversation, turn.value()), key -> store.turn(conversation, turn));
  }

  /** Forgets what was written, after a write that failed or was taken back. */
  void forget() {
    indexedUpTo.clear();
  }

  /**
   * What a changed turn leads to.
   *
   * @param batch groups that are written anyhow, whose messages need not be written again
   */
  List<IndexChange> changed(
      SearchIndex index, Scope.OfConversation conversation, TurnId turn, Set<String> batch) {
    String group = MessageEntries.group(conversation, turn.value());
    Optional<StoredTurn> found = turn(conversation, turn);
    if (found.isEmpty() || !MessageEntries.isSearchable(found.get().status())) {
      return removed(index, conversation, turn, batch, found.isEmpty());
    }
    StoredTurn stored = found.get();
    Long before = indexedUpTo.get(group);
    List<IndexChange> changes = new ArrayList<>();
    long first = stored.firstSeq();
    if (before == null) {
      changes.add(new IndexChange.RemoveGroup(group, false));
    } else {
      first = before + 1;
    }
    if (stored.lastSeq() >= first && stored.blocks() > 0) {
      put(changes, new Stretch(conversation, first, stored.lastSeq()), turn, batch);
    }
    indexedUpTo.put(group, Math.max(stored.lastSeq(), before == null ? 0 : before));
    return changes;
  }

  /** What an erased turn leads to, or one that was taken out of context. */
  List<IndexChange> removed(
      SearchIndex index,
      Scope.OfConversation conversation,
      TurnId turn,
      Set<String> batch,
      boolean erased) {
    String group = MessageEntries.group(conversation, turn.value());
    indexedUpTo.remove(group);
    List<IndexChange> changes = new ArrayList<>();
    changes.add(new IndexChange.RemoveGroup(group, erased));
    index
        .span(group)
        .ifPresent(
            span ->
                put(changes, new Stretch(conversation, span.first(), span.last()), null, batch));
    return changes;
  }

  List<IndexChange> conversationErased(Scope.OfConversation conversation) {
    forget();
    return List.of(
        new IndexChange.RemoveConversation(conversation.user(), conversation.conversation()));
  }

  /** Part of a conversation, both ends included. */
  private record Stretch(Scope.OfConversation conversation, long first, long last) {}

  /**
   * Puts the messages of a stretch that belong to a turn, and those next to it.
   *
   * @param turn null: only those next to it
   */
  private void put(
      List<IndexChange> changes, Stretch stretch, @Nullable TurnId turn, Set<String> batch) {
    List<StoredBlock> messages = messages(stretch);
    int from = 0;
    while (from < messages.size() && messages.get(from).seq() < stretch.first) {
      from++;
    }
    int to = from;
    while (to < messages.size() && messages.get(to).seq() <= stretch.last) {
      to++;
    }
    int begin = Math.max(0, from - MessageEntries.NEIGHBOURS);
    int end = Math.min(messages.size(), to + MessageEntries.NEIGHBOURS);
    for (int i = begin; i < end; i++) {
      StoredBlock message = messages.get(i);
      boolean inside = i >= from && i < to && message.block().turn().equals(turn);
      String group = MessageEntries.group(stretch.conversation, message.block().turn().value());
      boolean written = !inside && !message.block().turn().equals(turn) && batch.contains(group);
      if ((inside || i < from || i >= to) && !written) {
        StoredTurn of = turn(stretch.conversation, message.block().turn()).orElseThrow();
        List<StoredBlock> around = around(stretch.conversation, messages, i, of.row().agent());
        changes.add(
            new IndexChange.Put(
                MessageEntries.document(stretch.conversation, of.row(), message, around)));
      }
    }
  }

  /** What stands around a message, without what other agents were told or said. */
  private List<StoredBlock> around(
      Scope.OfConversation conversation,
      List<StoredBlock> messages,
      int of,
      @Nullable String agent) {
    List<StoredBlock> around = new ArrayList<>();
    int end = Math.min(messages.size(), of + MessageEntries.NEIGHBOURS + 1);
    for (int i = Math.max(0, of - MessageEntries.NEIGHBOURS); i < end; i++) {
      String other =
          turn(conversation, messages.get(i).block().turn())
              .map(known -> known.row().agent())
              .orElse(null);
      if (i != of && (other == null || other.equals(agent))) {
        around.add(messages.get(i));
      }
    }
    return around;
  }

  /** The messages of a stretch and on both sides of it, of turns that can be found. */
  private List<StoredBlock> messages(Stretch stretch) {
    long first = stretch.first - REACH;
    long last = stretch.last + REACH;
    List<StoredBlock> messages = messages(stretch.conversation, first, last);
    long before = messages.stream().filter(message -> message.seq() < stretch.first).count();
    if (before < NEEDED && first > 1) {
      messages.addAll(0, messages(stretch.conversation, stretch.first - FAR_REACH, first - 1));
    }
    long behind = messages.stream().filter(message -> message.seq() > stretch.last).count();
    if (behind < NEEDED) {
      messages.addAll(messages(stretch.conversation, last + 1, stretch.last + FAR_REACH));
    }
    return messages;
  }

  /** The messages between two places, both included, of turns that can be found. */
  private List<StoredBlock> messages(Scope.OfConversation conversation, long first, long last) {
    List<StoredBlock> messages = new ArrayList<>();
    long from = Math.max(1, first);
    while (from <= last) {
      List<StoredBlock> page = store.readRange(conversation, from, last, Store.MAX_PAGE);
      for (StoredBlock block : page) {
        if (MessageEntries.isSearchable(block.block())
            && turn(conversation, block.block().turn())
                .filter(known -> MessageEntries.isSearchable(known.status()))
                .isPresent()) {
          messages.add(block);
        }
      }
      if (page.size() < Store.MAX_PAGE) {
        break;
      }
      from = page.getLast().seq() + 1;
    }
    return messages;
  }

  /** All messages of a turn as they would be indexed, for comparing and embedding. */
  List<IndexChange.Put> documents(Scope.OfConversation conversation, TurnId turn) {
    Optional<StoredTurn> found = turn(conversation, turn);
    if (found.isEmpty()
        || !MessageEntries.isSearchable(found.get().status())
        || found.get().blocks() == 0) {
      return List.of();
    }
    List<IndexChange> changes = new ArrayList<>();
    put(
        changes,
        new Stretch(conversation, found.get().firstSeq(), found.get().lastSeq()),
        turn,
        Set.of());
    String group = MessageEntries.group(conversation, turn.value());
    List<IndexChange.Put> documents = new ArrayList<>();
    for (IndexChange change : changes) {
      if (change instanceof IndexChange.Put put && put.document().entry().group().equals(group)) {
        documents.add(put);
      }
    }
    return documents;
  }
}

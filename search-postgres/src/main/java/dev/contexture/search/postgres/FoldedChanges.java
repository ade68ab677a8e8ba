package dev.contexture.search.postgres;

import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes in order, as what is removed first and what is put then: an entry that is put twice is
 * put once, one that is removed later is not put at all. Confined to one thread.
 */
final class FoldedChanges {
  final Set<String> groups = new HashSet<>();
  final Set<Conversation> conversations = new HashSet<>();
  final Map<String, IndexDocument> documents = new LinkedHashMap<>();
  final Map<String, Parking> parkedTexts = new LinkedHashMap<>();
  final Map<String, IndexChange.PutVectors> vectors = new LinkedHashMap<>();
  final Map<String, Parking> parkedVectors = new LinkedHashMap<>();
  boolean all;
  boolean allVectors;

  /** A conversation whose messages are removed. */
  record Conversation(String user, String id) {}

  /** An entry that is parked, and why. */
  record Parking(IndexEntry entry, String error) {}

  static FoldedChanges of(List<IndexChange> changes) {
    FoldedChanges folded = new FoldedChanges();
    changes.forEach(folded::add);
    return folded;
  }

  private void add(IndexChange change) {
    switch (change) {
      case IndexChange.Put put -> {
        String id = put.document().entry().id();
        parkedTexts.remove(id);
        documents.put(id, put.document());
      }
      case IndexChange.ParkText park -> parkText(park.entry(), park.error());
      case IndexChange.PutVectors put -> {
        parkedVectors.remove(put.entry().id());
        vectors.put(put.entry().id(), put);
      }
      case IndexChange.Park park -> parkVectors(park.entry(), park.error());
      case IndexChange.RemoveGroup remove -> {
        groups.add(remove.group());
        forget(new Removed(remove.group(), null));
      }
      case IndexChange.RemoveConversation remove -> {
        Conversation removed = new Conversation(remove.user(), remove.conversation());
        conversations.add(removed);
        forget(new Removed(null, removed));
      }
      case IndexChange.RemoveAll unused -> {
        all = true;
        forget(new Removed(null, null));
      }
      case IndexChange.RemoveVectors unused -> {
        allVectors = true;
        vectors.clear();
        parkedVectors.clear();
      }
    }
  }

  /** Puts the reason in the place of the words of an entry. */
  void parkText(IndexEntry entry, String error) {
    documents.remove(entry.id());
    parkedTexts.put(entry.id(), new Parking(entry, error));
  }

  /** Puts the reason in the place of the vectors of an entry. */
  void parkVectors(IndexEntry entry, String error) {
    vectors.remove(entry.id());
    parkedVectors.put(entry.id(), new Parking(entry, error));
  }

  private void forget(Removed removed) {
    documents.values().removeIf(document -> removed.holds(document.entry()));
    parkedTexts.values().removeIf(parked -> removed.holds(parked.entry()));
    vectors.values().removeIf(put -> removed.holds(put.entry()));
    parkedVectors.values().removeIf(parked -> removed.holds(parked.entry()));
  }

  /** What is removed: a group, a conversation, or all. */
  private record Removed(@Nullable String group, @Nullable Conversation conversation) {
    boolean holds(IndexEntry entry) {
      if (group != null) {
        return entry.group().equals(group);
      }
      return conversation == null
          || (Objects.equals(entry.user(), conversation.user)
              && Objects.equals(entry.conversation(), conversation.id));
    }
  }

  /** How many entries are parked. */
  int parked() {
    return parkedTexts.size() + parkedVectors.size();
  }

  /** Whether it changes what is found by words. */
  boolean hasWords() {
    return all
        || !groups.isEmpty()
        || !conversations.isEmpty()
        || !documents.isEmpty()
        || !parkedTexts.isEmpty();
  }

  /** Whether it changes what is found by meaning, and nothing else. */
  boolean hasVectors() {
    return allVectors || !vectors.isEmpty() || !parkedVectors.isEmpty();
  }
}

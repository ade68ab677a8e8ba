package dev.contexture.crdt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Replicas that edit at random and exchange deltas at random: late, twice, in any order. */
final class RandomHistory {
  private static final String[] TEXTS = {"a", "bc", "é", "😀", "x\n", "long run of text", "z"};

  private final Random random;
  final List<Document> replicas = new ArrayList<>();
  final List<byte[]> sent = new ArrayList<>();
  private final List<VersionVector> lastSent = new ArrayList<>();
  final Map<Document, Map<VersionVector, DocumentView>> states = new HashMap<>();
  long added;

  RandomHistory(long seed, int replicaCount) {
    this.random = new Random(seed);
    for (int i = 0; i < replicaCount; i++) {
      long id = random.nextInt(4) == 0 ? random.nextLong() : i + 1L;
      Document document = Document.create(ReplicaId.of(id));
      replicas.add(document);
      lastSent.add(VersionVector.EMPTY);
      states.put(document, new HashMap<>());
    }
  }

  void run(int steps) {
    for (int step = 0; step < steps; step++) {
      int index = random.nextInt(replicas.size());
      Document document = replicas.get(index);
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> edit(document);
        case 4, 5 -> commit(index);
        case 6, 7 -> receive(document);
        case 8 -> reload(index);
        default -> type(document);
      }
    }
  }

  /** Everybody gets everything, in a different order each. */
  void settle() {
    for (int i = 0; i < replicas.size(); i++) {
      commit(i);
      sent.add(replicas.get(i).exportSince(VersionVector.EMPTY));
    }
    for (Document document : replicas) {
      List<byte[]> order = new ArrayList<>(sent);
      Collections.shuffle(order, random);
      order.forEach(document::merge);
    }
  }

  private void commit(int index) {
    Document document = replicas.get(index);
    CommitNote note = random.nextInt(3) == 0 ? CommitNote.message("step") : CommitNote.NONE;
    if (document.commit(note).isPresent()) {
      sent.add(document.exportSince(lastSent.get(index)));
      lastSent.set(index, document.version());
      remember(document);
    }
  }

  private void remember(Document document) {
    states.computeIfAbsent(document, d -> new HashMap<>()).put(document.version(), document.view());
  }

  private void receive(Document document) {
    if (!sent.isEmpty()) {
      document.merge(sent.get(random.nextInt(sent.size())));
      if (!document.hasUncommittedEdits()) {
        remember(document);
      }
    }
  }

  /** Goes through bytes, so that edits meet a packed history. */
  private void reload(int index) {
    Document document = replicas.get(index);
    if (!document.hasUncommittedEdits()) {
      Document loaded =
          random.nextBoolean()
              ? document.fork(document.replica())
              : Document.load(document.exportSnapshot(), document.replica());
      replicas.set(index, loaded);
      states.put(loaded, new HashMap<>());
    }
  }

  private void type(Document document) {
    SharedText text = document.text("text");
    int at = random.nextInt(text.length() + 1);
    boolean backwards = random.nextBoolean();
    for (int i = 0; i < 4; i++) {
      text.insert(backwards ? at : at + i, String.valueOf((char) ('k' + i)));
    }
  }

  private void edit(Document document) {
    switch (random.nextInt(4)) {
      case 0 -> editText(document.text(random.nextInt(4) == 0 ? "other" : "text"));
      case 1 -> editList(document.list("list"));
      case 2 -> editMap(document.map("map"));
      default -> {
        long step = random.nextInt(20) - 10L;
        added += step;
        document.counter("counter").add(step);
      }
    }
  }

  private void editText(SharedText text) {
    int at = random.nextInt(text.length() + 1);
    int count = random.nextInt(Math.min(4, text.length() - at) + 1);
    if (random.nextInt(3) == 0) {
      for (int i = 0; i < 3 && at > 0; i++) {
        text.delete(--at, 1);
      }
    } else {
      text.splice(at, count, random.nextInt(3) == 0 ? "" : TEXTS[random.nextInt(TEXTS.length)]);
    }
  }

  private void editList(SharedList list) {
    int at = random.nextInt(list.size() + 1);
    int what = random.nextInt(3);
    if (at == list.size() || what == 0) {
      list.insertAll(at, List.of(TEXTS[random.nextInt(TEXTS.length)], "\"v\""));
    } else if (what == 1) {
      list.set(at, "s" + random.nextInt(100));
    } else {
      list.delete(at, 1);
    }
  }

  private void editMap(SharedMap map) {
    String key = "k" + random.nextInt(5);
    if (random.nextInt(3) == 0) {
      map.remove(key);
    } else {
      map.put(key, "v" + random.nextInt(1000));
    }
  }
}

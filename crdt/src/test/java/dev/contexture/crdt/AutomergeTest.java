package dev.contexture.crdt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.seeds.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.automerge.AmValue;
import org.automerge.NewValue;
import org.automerge.ObjectId;
import org.automerge.ObjectType;
import org.automerge.Transaction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same edits give the same values as Automerge where both mean the same. */
class AutomergeTest {
  private final org.automerge.Document base = new org.automerge.Document();
  private final ObjectId text;
  private final ObjectId list;

  AutomergeTest() {
    try (Transaction tx = base.startTransaction()) {
      text = tx.set(ObjectId.ROOT, "text", ObjectType.TEXT);
      list = tx.set(ObjectId.ROOT, "list", ObjectType.LIST);
      tx.set(ObjectId.ROOT, "counter", NewValue.counter(0));
      tx.spliceText(text, 0, 0, "left|right");
      tx.insert(list, 0, "left");
      tx.insert(list, 1, "right");
      tx.commit();
    }
  }

  /** One replica edits left of the bar, the other right of it: nobody competes for a place. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void editsThatDoNotCompeteGiveTheSameDocument(long seed) {
    Random random = TestSeed.random(seed);
    Document ours = Document.create(ReplicaId.of(1));
    ours.text("text").append("left|right");
    ours.list("list").insertAll(0, List.of("left", "right"));
    ours.commit();
    List<Document> our = List.of(ours, ours.fork(ReplicaId.of(2)));
    List<org.automerge.Document> their = List.of(base, base.fork());
    for (int round = 0; round < 40; round++) {
      int side = random.nextInt(2);
      try (Transaction tx = their.get(side).startTransaction()) {
        editText(our.get(side).text("text"), tx, side, random);
        editList(our.get(side).list("list"), tx, side, random);
        long step = random.nextInt(100) - 50L;
        our.get(side).counter("counter").add(step);
        tx.increment(ObjectId.ROOT, "counter", step);
        tx.commit();
      }
      our.get(side).commit();
      if (random.nextInt(4) == 0) {
        int to = random.nextInt(2);
        our.get(to).merge(our.get(1 - to).exportSince(our.get(to).version()));
        their.get(to).merge(their.get(1 - to));
        compare(our.get(to), their.get(to));
      }
    }
    our.get(0).merge(our.get(1).exportSnapshot());
    their.get(0).merge(their.get(1));
    compare(our.get(0), their.get(0));
    their.get(1).free();
  }

  private void editText(SharedText ours, Transaction tx, int side, Random random) {
    String now = ours.toString();
    int bar = now.indexOf('|');
    int from = side == 0 ? 0 : bar + 1;
    int to = side == 0 ? bar : now.length();
    int at = from + random.nextInt(to - from + 1);
    int deleted = random.nextInt(Math.min(3, to - at) + 1);
    String inserted = "xyz".substring(0, random.nextInt(3) + 1);
    ours.splice(at, deleted, inserted);
    tx.spliceText(text, at, deleted, inserted);
  }

  private void editList(SharedList ours, Transaction tx, int side, Random random) {
    String value = "v" + random.nextInt(1_000);
    int at = side == 0 ? 0 : ours.size();
    ours.insert(at, value);
    tx.insert(list, at, value);
  }

  private void compare(Document ours, org.automerge.Document theirs) {
    assertThat(ours.text("text").toString()).isEqualTo(theirs.text(text).orElseThrow());
    List<String> items = new ArrayList<>();
    Arrays.stream(theirs.listItems(list).orElseThrow())
        .forEach(item -> items.add(((AmValue.Str) item).getValue()));
    assertThat(ours.list("list").values()).isEqualTo(items);
    AmValue counter = theirs.get(ObjectId.ROOT, "counter").orElseThrow();
    assertThat(ours.counter("counter").value()).isEqualTo(((AmValue.Counter) counter).getValue());
  }
}

package dev.contexture.crdt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The walker orders concurrent text as the tree that defines the order does. */
class FugueProperties {
  private static final class Sent {
    final byte[] delta;
    final List<FugueModel.Message> messages;

    Sent(byte[] delta, List<FugueModel.Message> messages) {
      this.delta = delta;
      this.messages = messages;
    }
  }

  @Property(tries = 500)
  void concurrentTextIsOrderedAsTheModelOrdersIt(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 4) int count) {
    Random random = new Random(seed);
    List<Document> documents = new ArrayList<>();
    List<FugueModel> models = new ArrayList<>();
    List<List<Sent>> inboxes = new ArrayList<>();
    int[] counters = new int[count];
    for (int i = 0; i < count; i++) {
      documents.add(Document.create(ReplicaId.of(i + 1L)));
      models.add(new FugueModel());
      inboxes.add(new ArrayList<>());
    }
    for (int step = 0; step < 60; step++) {
      int i = random.nextInt(count);
      if (random.nextInt(3) > 0) {
        Sent sent = edit(documents.get(i), models.get(i), random, counters, i);
        for (int k = 0; k < count; k++) {
          if (k != i) {
            inboxes.get(k).add(sent);
          }
        }
      } else {
        int received = random.nextInt(inboxes.get(i).size() + 1);
        receive(documents.get(i), models.get(i), inboxes.get(i), received);
        assertThat(documents.get(i).text("t").toString()).isEqualTo(models.get(i).text());
      }
    }
    for (int i = 0; i < count; i++) {
      receive(documents.get(i), models.get(i), inboxes.get(i), inboxes.get(i).size());
      assertThat(documents.get(i).text("t").toString())
          .isEqualTo(models.get(i).text())
          .isEqualTo(documents.getFirst().text("t").toString());
    }
  }

  private static Sent edit(
      Document document, FugueModel model, Random random, int[] counters, int replica) {
    SharedText text = document.text("t");
    VersionVector before = document.version();
    List<FugueModel.Message> messages = new ArrayList<>();
    int at = random.nextInt(text.length() + 1);
    if (at < text.length() && random.nextInt(4) == 0) {
      messages.add(model.delete(at));
      text.delete(at, 1);
      counters[replica]++;
    } else {
      boolean backwards = random.nextInt(4) == 0;
      for (int k = 0; k <= random.nextInt(3); k++) {
        int position = backwards ? at : at + k;
        int character = 'a' + random.nextInt(26);
        FugueModel.Id id = new FugueModel.Id(replica + 1L, counters[replica]++);
        messages.add(model.insert(position, character, id));
        text.insert(position, Character.toString(character));
      }
    }
    document.commit();
    return new Sent(document.exportSince(before), messages);
  }

  private static void receive(Document document, FugueModel model, List<Sent> inbox, int received) {
    for (int k = 0; k < received; k++) {
      Sent sent = inbox.removeFirst();
      document.merge(sent.delta);
      sent.messages.forEach(model::apply);
    }
  }
}

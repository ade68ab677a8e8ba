package dev.contexture.crdt.internal.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The rope against a plain string, with characters of all widths and long insertions. */
class RopeProperties {
  private static final String[] TEXTS = {"a", "é", "世界", "😀", "plain text ", "x".repeat(3_000)};

  @Property(tries = 100)
  void editsLikeAString(@ForAll long seed) {
    Random random = new Random(seed);
    Edited edited = Edited.of(TEXTS[random.nextInt(TEXTS.length)].repeat(5));
    for (int i = 0; i < 150; i++) {
      edited.edit(random);
    }
    edited.check();
  }

  @Property(tries = 100)
  void copiesAreEditedOnTheirOwn(@ForAll long seed) {
    Random random = new Random(seed);
    List<Edited> texts = new ArrayList<>();
    texts.add(Edited.of(TEXTS[random.nextInt(TEXTS.length)].repeat(900)));
    for (int i = 0; i < 200; i++) {
      Edited one = texts.get(random.nextInt(texts.size()));
      if (random.nextInt(10) == 0 && texts.size() < 8) {
        texts.add(new Edited(one.rope.copy(), one.model));
      } else {
        one.edit(random);
      }
    }
    texts.forEach(Edited::check);
  }

  private static final class Edited {
    final Rope rope;
    int[] model;

    Edited(Rope rope, int[] model) {
      this.rope = rope;
      this.model = model;
    }

    static Edited of(String text) {
      byte[] start = Utf8.encode(text);
      Rope rope = Rope.of(start, Utf8.count(start, 0, start.length));
      return new Edited(rope, text.codePoints().toArray());
    }

    void edit(Random random) {
      int at = random.nextInt(model.length + 1);
      if (random.nextInt(2) == 0) {
        int count =
            random.nextInt(Math.min(random.nextInt(20) == 0 ? 5_000 : 5, model.length - at) + 1);
        rope.delete(at, count);
        model = spliced(model, at, count, "");
      } else {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        Utf8Slice slice = Utf8Slice.of(text);
        rope.insert(at, slice.bytes(), 0, slice.size(), slice.codePoints());
        model = spliced(model, at, 0, text);
      }
      assertThat(rope.length()).isEqualTo(model.length);
    }

    void check() {
      assertThat(rope).hasToString(new String(model, 0, model.length));
    }
  }

  private static int[] spliced(int[] model, int at, int count, String text) {
    StringBuilder out = new StringBuilder(new String(model, 0, at)).append(text);
    out.append(new String(model, at + count, model.length - at - count));
    return out.codePoints().toArray();
  }
}

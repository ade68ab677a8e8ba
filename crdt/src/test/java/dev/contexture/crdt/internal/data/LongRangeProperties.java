package dev.contexture.crdt.internal.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.crdt.CrdtException;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class LongRangeProperties {
  @Property(tries = 300)
  void whatIsWrittenIsRead(@ForAll long seed) {
    Bytes text = repetitive(new Random(seed));
    Bytes packed = new Bytes();
    LongRange.write(text, packed);
    assertThat(LongRange.read(new ByteReader(packed.toArray()), 1 << 20)).isEqualTo(text.toArray());
  }

  @Property(tries = 300)
  void forgedReferencesAreRefusedOrStayInsideTheLimit(@ForAll long seed) {
    Random random = new Random(seed);
    Bytes packed = new Bytes();
    LongRange.write(repetitive(random), packed);
    byte[] forged = packed.toArray();
    for (int i = 0; i < 3; i++) {
      forged[random.nextInt(Math.min(200, forged.length))] = (byte) random.nextInt();
    }
    try {
      assertThat(LongRange.read(new ByteReader(forged), 10_000).length).isLessThan(60_000);
    } catch (CrdtException e) {
      assertThat(e).hasMessageContaining("cannot read");
    }
  }

  @Example
  void aPassageThatReturnsAfterLongIsWrittenOnce() {
    Random random = new Random(7);
    Bytes text = new Bytes();
    byte[] passage = noise(random, 5_000);
    text.add(passage);
    text.add(noise(random, 100_000));
    text.add(passage);
    Bytes packed = new Bytes();
    LongRange.write(text, packed);
    assertThat(packed.size()).isLessThan(105_200);
  }

  private static Bytes repetitive(Random random) {
    Bytes text = new Bytes();
    int pieces = random.nextInt(30);
    for (int i = 0; i < pieces; i++) {
      if (text.size() > 0 && random.nextInt(3) > 0) {
        int distance = 1 + random.nextInt(text.size());
        text.repeat(distance, random.nextInt(400));
      } else {
        text.add(noise(random, random.nextInt(500)));
      }
    }
    return text;
  }

  private static byte[] noise(Random random, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(26));
    }
    return bytes;
  }
}

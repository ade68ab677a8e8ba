package dev.contexture.crdt;

import static dev.contexture.crdt.DocumentTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.contexture.seeds.TestSeed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FormatTest {
  private static final HexFormat HEX = HexFormat.of();

  /** A document with every container, a concurrent part, notes and a trim point. */
  static Document sample() {
    Document one = Document.create(ReplicaId.of(1));
    one.text("text").insert(0, "héllo wörld 😀");
    one.list("list").insertAll(0, List.of("1", "{\"a\":2}", "null"));
    one.commit(new CommitNote("first", "agent:x", Instant.ofEpochMilli(1_700_000_000_123L)));
    one.trim(one.version());
    Document two = one.fork(ReplicaId.of(0xFFFF_FFFF_FFFF_FFFFL));
    one.text("text").splice(1, 4, "a");
    one.map("map").put("key", "\"v\"");
    one.map("map").put("gone", "1");
    one.commit();
    one.map("map").remove("gone");
    one.counter("n").add(-42);
    one.commit(CommitNote.message("second"));
    two.text("text").append("!!");
    two.list("list").set(1, "set");
    two.list("list").delete(0, 1);
    two.commit();
    one.merge(two.exportSince(one.version()));
    one.text("text").delete(0, 1);
    one.commit();
    return one;
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(FormatTest.class.getResourceAsStream(name))) {
      return HEX.parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
    }
  }

  @Nested
  class Encoding {
    @Test
    void anEmptyDocumentHasTheGivenBytes() {
      byte[] empty = Document.create(ReplicaId.of(1)).exportSnapshot();
      assertThat(HEX.formatHex(empty)).isEqualTo("435458440100006bb8a00d");
      assertThat(Document.load(empty, ReplicaId.of(2)).version()).isEqualTo(VersionVector.EMPTY);
    }

    @Test
    void storedBytesOfTheFirstVersionOpen() throws IOException {
      Document snapshot = Document.load(golden("snapshot-v1.hex"), ReplicaId.of(5));
      assertThat(snapshot.view()).isEqualTo(sample().view());
      assertThat(snapshot.commits()).isEqualTo(sample().commits());
      Document merged = Document.create(ReplicaId.of(6));
      merged.merge(golden("delta-v1.hex"));
      assertThat(merged.text("t")).hasToString("axb😀");
    }

    @Test
    void equalDocumentsReadEqualFromSnapshotAndDelta() {
      Document document = sample();
      Document loaded = Document.load(document.exportSnapshot(), ReplicaId.of(5));
      assertThat(loaded.view()).isEqualTo(document.view());
      assertThat(loaded.version()).isEqualTo(document.version());
      assertThat(loaded.commits()).isEqualTo(document.commits());
      assertThat(loaded.exportSince(loaded.trimPoint()))
          .isEqualTo(document.exportSince(document.trimPoint()));
    }

    @Test
    void aDeltaIsNotASnapshot() {
      byte[] delta = sample().exportSince(sample().trimPoint());
      assertRefused(() -> Document.load(delta, ReplicaId.of(1)), CrdtErrorCode.CORRUPT_DATA);
    }
  }

  @Nested
  class BadBytes {
    private final Document document = sample();
    private final byte[] snapshot = document.exportSnapshot();
    private final byte[] delta = document.exportSince(document.trimPoint());

    @Test
    void everyFlippedBitIsATypedError() {
      for (byte[] good : List.of(snapshot, delta)) {
        for (int bit = 0; bit < good.length * 8; bit++) {
          byte[] bad = good.clone();
          bad[bit / 8] ^= (byte) (1 << (bit % 8));
          boolean version = bit / 8 == 4;
          refuse(bad, version ? CrdtErrorCode.UNSUPPORTED_FORMAT : CrdtErrorCode.CORRUPT_DATA);
        }
      }
    }

    @Test
    void everyTruncationIsATypedError() {
      for (byte[] good : List.of(snapshot, delta)) {
        for (int length = 0; length < good.length; length++) {
          refuse(Arrays.copyOf(good, length), CrdtErrorCode.CORRUPT_DATA);
        }
        refuse(Arrays.copyOf(good, good.length + 1), CrdtErrorCode.CORRUPT_DATA);
      }
    }

    private void refuse(byte[] bad, CrdtErrorCode code) {
      assertRefused(() -> Document.load(bad, ReplicaId.of(3)), code);
      Document target = Document.create(ReplicaId.of(3));
      target.text("mine").append("x");
      assertRefused(() -> target.merge(bad), code);
      assertThat(target.text("mine")).hasToString("x");
    }

    @Test
    void aNewerVersionIsUnsupported() {
      byte[] newer = snapshot.clone();
      newer[4] = 2;
      refuse(withChecksum(newer), CrdtErrorCode.UNSUPPORTED_FORMAT);
    }

    @Test
    void aForgedLengthAllocatesNothing() {
      byte[] forged = HEX.parseHex("4354584401" + "00" + "808080808020" + "00000000");
      refuse(forged, CrdtErrorCode.CORRUPT_DATA);
      byte[] inner = HEX.parseHex("4354584401" + "01" + "08" + "0180808080808020" + "00000000");
      refuse(withChecksum(inner), CrdtErrorCode.CORRUPT_DATA);
    }

    @Test
    void aBlockThatUnpacksBeyondTheLimitIsRefused() {
      Document large = Document.create(ReplicaId.of(1));
      large.text("t").append("a".repeat(1_000_000));
      large.commit();
      byte[] packed = large.exportSince(VersionVector.EMPTY);
      assertThat(packed.length).isLessThan(2_000);
      CrdtLimits small = new CrdtLimits(100_000, 100_000, 100, 100);
      Document target = Document.create(ReplicaId.of(2), small);
      assertRefused(() -> target.merge(packed), CrdtErrorCode.CORRUPT_DATA);
    }

    /** A checksum protects against damage; whoever forges it must still not break more. */
    @Test
    void forgedStructureIsRefusedOrReadButNeverBreaks() {
      Random random = TestSeed.random(42);
      for (int round = 0; round < TestSeed.tries(20_000); round++) {
        byte[] forged = (round % 2 == 0 ? snapshot : delta).clone();
        for (int k = 0; k <= random.nextInt(3); k++) {
          forged[7 + random.nextInt(forged.length - 11)] = (byte) random.nextInt();
        }
        open(withChecksum(forged));
      }
    }

    private void open(byte[] forged) {
      attempt(
          forged,
          () -> {
            Document target = Document.create(ReplicaId.of(3));
            target.text("text").append("own");
            target.commit();
            target.merge(forged);
          });
      attempt(
          forged,
          () -> {
            Document loaded = Document.load(forged, ReplicaId.of(3));
            loaded.text("text").append("more");
            loaded.commit();
            loaded.at(loaded.version());
            loaded.exportState();
          });
    }

    private void attempt(byte[] forged, Runnable reading) {
      try {
        reading.run();
      } catch (CrdtException e) {
        assertThat(e.code()).isNotNull();
      } catch (RuntimeException e) {
        fail("forged bytes " + HEX.formatHex(forged) + " broke the reader", e);
      }
    }

    /** Two documents that share a replica id lead to operations that fit nowhere. */
    @Test
    void aMergeThatFailsHalfwayChangesNothing() {
      ReplicaId twice = ReplicaId.of(9);
      Document honest = Document.create(twice);
      honest.text("text").append("one two three");
      honest.commit();
      Document impostor = Document.create(twice);
      impostor.text("text").append("one two");
      impostor.text("text").delete(1, 6);
      impostor.commit();
      VersionVector base = honest.version();
      assertThat(impostor.version()).isEqualTo(base);
      honest.counter("n").add(1);
      honest.commit();
      honest.text("text").delete(12, 1);
      honest.commit();
      byte[] fitsNowhere = honest.exportSince(base);
      for (boolean concurrent : new boolean[] {false, true}) {
        Document target = impostor.fork(ReplicaId.of(8));
        if (concurrent) {
          target.text("text").append(" committed");
          target.map("map").put("k", "v");
          target.commit();
          target.text("text").append(" pending");
        }
        DocumentView before = target.view();
        VersionVector version = target.version();
        assertRefused(() -> target.merge(fitsNowhere), CrdtErrorCode.CORRUPT_DATA);
        assertThat(target.view()).isEqualTo(before);
        assertThat(target.version()).isEqualTo(version);
        target.text("text").append("!");
        target.commit();
        Document other = target.fork(ReplicaId.of(7));
        assertThat(other.text("text")).hasToString(target.text("text").toString());
      }
    }
  }

  private static byte[] withChecksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - 4);
    for (int i = 0; i < 4; i++) {
      bytes[bytes.length - 4 + i] = (byte) (crc.getValue() >>> (8 * i));
    }
    return bytes;
  }
}

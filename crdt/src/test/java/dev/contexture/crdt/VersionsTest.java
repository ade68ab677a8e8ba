package dev.contexture.crdt;

import static dev.contexture.crdt.DocumentTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class VersionsTest {
  private final Document one = Document.create(ReplicaId.of(1));

  private List<VersionVector> type(Document document, String... words) {
    List<VersionVector> versions = new ArrayList<>();
    for (String word : words) {
      document.text("t").append(word);
      document.commit(CommitNote.message(word));
      versions.add(document.version());
    }
    return versions;
  }

  @Nested
  class TimeTravel {
    @Test
    void returnsEachEarlierState() {
      List<VersionVector> versions = type(one, "a", "b", "c");
      assertThat(versions).extracting(v -> one.at(v).text("t")).containsExactly("a", "ab", "abc");
      assertThat(one.at(VersionVector.EMPTY).text("t")).isEmpty();
    }

    @Test
    void anUnknownVersionIsRefused() {
      type(one, "a");
      VersionVector later = VersionVector.of(Map.of(ReplicaId.of(1), 5));
      assertRefused(() -> one.at(later), CrdtErrorCode.UNKNOWN_VERSION);
    }

    @Test
    void aVersionWithAnEffectButNotItsCauseIsRefused() {
      type(one, "a");
      Document two = one.fork(ReplicaId.of(2));
      type(two, "b");
      VersionVector torn = VersionVector.of(Map.of(ReplicaId.of(2), 1));
      assertRefused(() -> two.at(torn), CrdtErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void anEditAtAnOldVersionMergesWithWhatIsNewer() {
      VersionVector base = type(one, "buy milk\ncall Ann").getLast();
      type(one, "\npay rent");
      Document stale = one.forkAt(base, ReplicaId.of(9));
      stale.text("t").set("buy oat milk\ncall Ann");
      stale.commit();
      one.merge(stale.exportSince(base));
      assertThat(one.text("t")).hasToString("buy oat milk\ncall Ann\npay rent");
    }
  }

  @Nested
  class Deltas {
    @Test
    void containOnlyWhatIsLacking() {
      List<VersionVector> versions = type(one, "a".repeat(1_000), "b");
      byte[] delta = one.exportSince(versions.getFirst());
      assertThat(delta.length).isLessThan(80);
      assertThat(one.exportSince(one.version())).hasSize(11);
    }

    @Test
    void waitForTheirPredecessors() {
      List<VersionVector> versions = type(one, "a", "b", "c");
      Document two = Document.create(ReplicaId.of(2));
      byte[] last = one.exportSince(versions.get(1));
      assertThat(two.merge(last)).isEqualTo(new MergeResult(0, 0, 1));
      assertThat(two.merge(last)).isEqualTo(new MergeResult(0, 0, 1));
      assertThat(two.text("t")).hasToString("");
      Document early = one.forkAt(versions.get(1), ReplicaId.of(4));
      assertThat(two.merge(early.exportSince(VersionVector.EMPTY)))
          .isEqualTo(new MergeResult(3, 0, 0));
      assertThat(two.text("t")).hasToString("abc");
    }

    @Test
    void thatWaitAreBounded() {
      CrdtLimits limits = new CrdtLimits(1 << 20, 1_000, 100, 100);
      Document two = Document.create(ReplicaId.of(2), limits);
      VersionVector first = type(one, "a").getFirst();
      type(one, "x".repeat(1_000));
      assertRefused(() -> two.merge(one.exportSince(first)), CrdtErrorCode.LIMIT_EXCEEDED);
      assertThat(two.merge(one.exportSince(VersionVector.EMPTY)).applied()).isEqualTo(2);
    }

    @Test
    void ofOneCharacterAreSmall() {
      Document document = Document.create(ReplicaId.of(0xFEDCBA9876543210L));
      document.text("content").insert(0, "lorem ipsum ".repeat(8_500));
      document.commit();
      VersionVector before = document.version();
      document.text("content").insert(50_000, "x");
      document.commit();
      assertThat(document.exportSince(before).length).isLessThanOrEqualTo(64);
      before = document.version();
      document.text("content").delete(50_000, 1);
      document.commit(new CommitNote("m".repeat(80), "a".repeat(80), Instant.EPOCH));
      assertThat(document.exportSince(before).length).isLessThanOrEqualTo(256);
    }

    @Test
    void ofAnotherReplicaOnTopOfALoadedDocumentAreSmall() {
      Document document = Document.create(ReplicaId.of(0xFEDCBA9876543210L));
      document.text("content").insert(0, "lorem ipsum ".repeat(8_500));
      document.commit();
      Document other = Document.load(document.exportSnapshot(), ReplicaId.of(0x8EDCBA9876543210L));
      other.text("content").insert(100_000, "x");
      other.commit();
      assertThat(other.exportSince(document.version()).length).isLessThanOrEqualTo(64);
    }
  }

  @Nested
  class Trimming {
    @Test
    void keepsValuesAndVersion() {
      List<VersionVector> versions = type(one, "a", "b", "c");
      Document trimmed = Document.load(one.exportState(versions.get(1)), ReplicaId.of(2));
      assertThat(trimmed.view()).isEqualTo(one.view());
      assertThat(trimmed.version()).isEqualTo(one.version());
      assertThat(trimmed.trimPoint()).isEqualTo(versions.get(1));
      assertThat(trimmed.commits()).extracting(c -> c.note().message()).containsExactly("c");
    }

    @Test
    void refusesWhatLiesBelow() {
      List<VersionVector> versions = type(one, "a", "b", "c");
      Document stale = one.forkAt(versions.get(0), ReplicaId.of(3));
      type(stale, "!");
      one.trim(versions.get(1));
      assertRefused(() -> one.at(versions.get(0)), CrdtErrorCode.HISTORY_TRIMMED);
      assertRefused(() -> one.exportSince(versions.get(0)), CrdtErrorCode.HISTORY_TRIMMED);
      assertRefused(
          () -> one.forkAt(VersionVector.EMPTY, ReplicaId.of(4)), CrdtErrorCode.HISTORY_TRIMMED);
      byte[] below = stale.exportSince(versions.get(0));
      assertRefused(() -> one.merge(below), CrdtErrorCode.HISTORY_TRIMMED);
      assertThat(one.text("t")).hasToString("abc");
      assertThat(one.at(versions.get(1)).text("t")).isEqualTo("ab");
      Document redone = one.fork(ReplicaId.of(5));
      type(redone, "!");
      one.merge(redone.exportSince(one.version()));
      assertThat(one.text("t")).hasToString("abc!");
    }

    @Test
    void keepsWhatKnownConcurrentCommitsNeed() {
      List<VersionVector> versions = type(one, "a", "b", "c");
      Document beside = one.forkAt(versions.get(0), ReplicaId.of(3));
      type(beside, "!");
      one.merge(beside.exportSince(versions.get(0)));
      type(one, "d");
      Document checkpoint = Document.load(one.exportState(versions.get(2)), ReplicaId.of(4));
      assertThat(checkpoint.view()).isEqualTo(one.view());
      assertThat(checkpoint.trimPoint()).isEqualTo(versions.get(0));
    }

    @Test
    void leavesNothingOfTrimmedText() {
      type(one, "secret");
      one.text("t").delete(0, 6);
      one.commit();
      one.trim(one.version());
      assertThat(one.exportSnapshot()).hasSizeLessThan(40);
      assertThat(one.commits()).isEmpty();
    }

    @Test
    void aTypedTextHasASmallState() {
      String line = "The quick brown fox jumps over the lazy dog, and then some more of it.\n";
      StringBuilder typed = new StringBuilder();
      for (int i = 0; typed.length() < 100_000; i++) {
        typed.append(i).append(line);
      }
      typed.codePoints().forEach(c -> one.text("t").append(Character.toString(c)));
      one.commit();
      assertThat(one.exportState().length).isLessThanOrEqualTo(125_000 + 4_096);
    }
  }
}

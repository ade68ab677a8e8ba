package dev.contexture.crdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DocumentTest {
  private final Document one = Document.create(ReplicaId.of(1));
  private final Document two = Document.create(ReplicaId.of(2));

  private static void edit(Document document, Consumer<Document> edits) {
    edits.accept(document);
    document.commit();
  }

  private void exchange() {
    byte[] fromOne = one.exportSince(two.version());
    one.merge(two.exportSince(one.version()));
    two.merge(fromOne);
    assertThat(two.view()).isEqualTo(one.view());
    assertThat(two.version()).isEqualTo(one.version());
  }

  static void assertRefused(Runnable call, CrdtErrorCode code) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            CrdtException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  @Test
  void theExampleOfThePackageIsTrue() {
    one.text("notes").append("buy milk");
    one.commit(CommitNote.message("first"));
    Document bob = one.fork(ReplicaId.of(2));
    bob.text("notes").splice(4, 0, "oat ");
    bob.commit();
    one.text("notes").append("\ncall Ann");
    one.commit();
    one.merge(bob.exportSince(one.version()));
    assertThat(one.text("notes")).hasToString("buy oat milk\ncall Ann");
  }

  @Nested
  class Text {
    @Test
    void countsCodePoints() {
      SharedText text = one.text("t");
      text.insert(0, "😀世界");
      text.splice(1, 1, "😀");
      assertThat(text).hasToString("😀😀界");
      assertThat(text.length()).isEqualTo(3);
    }

    @Test
    void runsTypedForwardsAtOnePlaceStayWholeTheSmallerReplicaFirst() {
      edit(one, d -> List.of("a", "b", "c").forEach(d.text("t")::append));
      edit(two, d -> List.of("x", "y", "z").forEach(d.text("t")::append));
      exchange();
      assertThat(one.text("t")).hasToString("abcxyz");
    }

    @Test
    void runsTypedBackwardsAtOnePlaceStayWholeTheSmallerReplicaFirst() {
      edit(one, d -> List.of("c", "b", "a").forEach(c -> d.text("t").insert(0, c)));
      edit(two, d -> List.of("z", "y", "x").forEach(c -> d.text("t").insert(0, c)));
      exchange();
      assertThat(one.text("t")).hasToString("abcxyz");
    }

    @Test
    void replicaIdsCompareAsUnsignedNumbers() {
      Document last = Document.create(ReplicaId.of(-1));
      edit(one, d -> d.text("t").append("one"));
      edit(last, d -> d.text("t").append("last"));
      one.merge(last.exportSnapshot());
      assertThat(one.text("t")).hasToString("onelast");
    }

    @Test
    void setReplacesOnlyWhatDiffers() {
      edit(one, d -> d.text("t").set("hello world"));
      exchange();
      edit(one, d -> d.text("t").set("hello brave world"));
      edit(two, d -> d.text("t").append("!"));
      exchange();
      assertThat(one.text("t")).hasToString("hello brave world!");
    }

    @Test
    void unpairedSurrogatesBecomeReplacementCharacters() {
      one.text("t").insert(0, "a\uD800b");
      assertThat(one.text("t")).hasToString("a\uFFFDb");
    }

    @Test
    void rangesOutsideAreRefusedAndChangeNothing() {
      one.text("t").insert(0, "abc");
      assertRefused(() -> one.text("t").splice(2, 2, "x"), CrdtErrorCode.INDEX_OUT_OF_RANGE);
      assertRefused(() -> one.text("t").splice(4, 0, "x"), CrdtErrorCode.INDEX_OUT_OF_RANGE);
      assertRefused(() -> one.text("t").splice(-1, 0, "x"), CrdtErrorCode.INDEX_OUT_OF_RANGE);
      assertThat(one.text("t")).hasToString("abc");
    }

    @Test
    void bothDeletingTheSameTextDeletesItOnce() {
      edit(one, d -> d.text("t").append("keep drop keep"));
      exchange();
      edit(one, d -> d.text("t").delete(5, 5));
      edit(two, d -> d.text("t").delete(4, 5));
      exchange();
      assertThat(one.text("t")).hasToString("keepkeep");
    }
  }

  @Nested
  class Lists {
    @Test
    void deleteBeatsSet() {
      edit(one, d -> d.list("l").insertAll(0, List.of("a", "b", "c")));
      exchange();
      edit(one, d -> d.list("l").delete(1, 1));
      edit(two, d -> d.list("l").set(1, "B"));
      exchange();
      assertThat(one.list("l").values()).containsExactly("a", "c");
    }

    @Test
    void theLatestSetWins() {
      edit(one, d -> d.list("l").add("a"));
      exchange();
      edit(one, d -> d.list("l").set(0, "from one"));
      edit(two, d -> d.list("l").set(0, "from two"));
      exchange();
      assertThat(one.list("l").values()).containsExactly("from two");
      edit(one, d -> d.list("l").set(0, "later"));
      exchange();
      assertThat(two.list("l").get(0)).isEqualTo("later");
    }

    @Test
    void setFollowsItsElement() {
      edit(one, d -> d.list("l").insertAll(0, List.of("a", "b")));
      exchange();
      edit(one, d -> d.list("l").insert(0, "new"));
      edit(two, d -> d.list("l").set(1, "B"));
      exchange();
      assertThat(one.list("l").values()).containsExactly("new", "a", "B");
    }
  }

  @Nested
  class Maps {
    @Test
    void theLastWriteWinsAndTiesGoToTheGreaterReplica() {
      edit(one, d -> d.map("m").put("k", "1"));
      edit(two, d -> d.map("m").put("k", "2"));
      exchange();
      assertThat(one.map("m").get("k")).contains("2");
    }

    @Test
    void removalIsAWrite() {
      edit(one, d -> d.map("m").put("k", "1"));
      exchange();
      edit(one, d -> d.map("m").put("k", "newer"));
      edit(two, d -> d.map("m").remove("k"));
      exchange();
      assertThat(one.map("m").get("k")).isEmpty();
    }

    @Test
    void keysAreInOrderOfTheirFirstWriteSinceTheirLastRemoval() {
      SharedMap map = one.map("m");
      map.put("a", "1");
      map.put("b", "1");
      map.put("a", "2");
      assertThat(map.values().keySet()).containsExactly("a", "b");
      map.remove("a");
      map.put("a", "3");
      assertThat(map.values()).isEqualTo(Map.of("b", "1", "a", "3"));
      assertThat(map.values().keySet()).containsExactly("b", "a");
    }
  }

  @Nested
  class Counters {
    @Test
    void incrementsAddUp() {
      edit(one, d -> d.counter("c").add(5));
      edit(two, d -> d.counter("c").add(-2));
      exchange();
      assertThat(one.counter("c").value()).isEqualTo(3);
    }

    @Test
    void theSumIsExactAndClampedWhenRead() {
      edit(one, d -> d.counter("c").add(Long.MAX_VALUE));
      edit(two, d -> d.counter("c").add(10));
      exchange();
      assertThat(one.counter("c").value()).isEqualTo(Long.MAX_VALUE);
      edit(one, d -> d.counter("c").add(-11));
      assertThat(one.counter("c").value()).isEqualTo(Long.MAX_VALUE - 1);
    }
  }

  @Nested
  class Commits {
    @Test
    void editsAreExportedOnlyWhenCommitted() {
      one.text("t").append("x");
      two.merge(one.exportSnapshot());
      two.merge(one.exportSince(VersionVector.EMPTY));
      assertThat(two.text("t")).hasToString("");
      assertThat(one.version()).isEqualTo(VersionVector.EMPTY);
    }

    @Test
    void aCommitWithoutEditsCreatesNothingAndCallsNobody() {
      List<CommitEvent> heard = new ArrayList<>();
      one.listen(heard::add);
      assertThat(one.commit()).isEmpty();
      one.text("t").append("");
      one.counter("c").add(0);
      one.map("m").remove("absent");
      assertThat(one.commit()).isEmpty();
      assertThat(heard).isEmpty();
      assertThat(one.version()).isEqualTo(VersionVector.EMPTY);
    }

    @Test
    void notesTravelWithTheirCommit() {
      CommitNote note =
          new CommitNote("append", "agent:entropy", Instant.parse("2026-01-02T03:04:05.678Z"));
      one.text("t").append("x");
      CommitRecord made = one.commit(note).orElseThrow();
      two.merge(one.exportSince(VersionVector.EMPTY));
      assertThat(two.commits()).containsExactly(made);
      assertThat(two.commits().getFirst().note()).isEqualTo(note);
    }

    @Test
    void listenersHearOncePerLocalAndPerMergedCommit() {
      List<CommitEvent> heard = new ArrayList<>();
      Runnable stop = two.listen(heard::add);
      edit(one, d -> d.text("t").append("ab"));
      edit(one, d -> d.map("m").put("k", "v"));
      byte[] delta = one.exportSince(VersionVector.EMPTY);
      two.merge(delta);
      two.merge(delta);
      edit(two, d -> d.text("t").delete(0, 1));
      assertThat(heard).extracting(CommitEvent::local).containsExactly(false, false, true);
      assertThat(heard.get(0).changes())
          .containsExactly(new DocumentStep.TextInserted("t", 0, "ab"));
      assertThat(heard.get(1).changes()).containsExactly(new DocumentStep.KeySet("m", "k", "v"));
      assertThat(heard.get(2).changes()).containsExactly(new DocumentStep.TextDeleted("t", 0, 1));
      stop.run();
      edit(two, d -> d.text("t").append("!"));
      assertThat(heard).hasSize(3);
    }

    @Test
    void changesAreThoseOfTheDocumentThatReportsThem() {
      edit(one, d -> d.text("t").append("middle"));
      exchange();
      List<CommitEvent> heard = new ArrayList<>();
      edit(one, d -> d.text("t").insert(0, "start "));
      one.listen(heard::add);
      edit(two, d -> d.text("t").append(" end"));
      one.merge(two.exportSince(one.version()));
      assertThat(heard.getFirst().changes())
          .containsExactly(new DocumentStep.TextInserted("t", 12, " end"));
    }

    @Test
    void mergingAmidUncommittedEditsKeepsThem() {
      edit(one, d -> d.text("t").append("base"));
      exchange();
      one.text("t").append(" mine");
      edit(two, d -> d.text("t").insert(0, "their "));
      one.merge(two.exportSince(one.version()));
      assertThat(one.text("t")).hasToString("their base mine");
      one.text("t").append("!");
      one.commit();
      exchange();
      assertThat(two.text("t")).hasToString("their base mine!");
    }

    @Test
    void aMessageBeyondTheLimitIsRefused() {
      one.text("t").append("x");
      CommitNote note = CommitNote.message("m".repeat(1_001));
      assertRefused(() -> one.commit(note), CrdtErrorCode.LIMIT_EXCEEDED);
      assertThat(one.hasUncommittedEdits()).isTrue();
    }
  }
}

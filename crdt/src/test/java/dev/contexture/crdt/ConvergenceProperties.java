package dev.contexture.crdt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ConvergenceProperties {
  @Property(tries = 400)
  void replicasThatSawTheSameCommitsAreEqual(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int replicas) {
    RandomHistory history = new RandomHistory(seed, replicas);
    history.run(120);
    history.settle();
    Document first = history.replicas.getFirst();
    assertThat(first.counter("counter").value()).isEqualTo(history.added);
    for (Document other : history.replicas) {
      assertThat(other.view()).isEqualTo(first.view());
      assertThat(other.version()).isEqualTo(first.version());
      assertThat(other.at(other.version())).isEqualTo(first.view());
    }
  }

  @Property(tries = 100)
  void everyEarlierStateCanBeSeenAgain(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 4) int replicas) {
    RandomHistory history = new RandomHistory(seed, replicas);
    history.run(80);
    history.settle();
    Document last = history.replicas.getLast();
    history
        .states
        .values()
        .forEach(
            states ->
                states.forEach((version, view) -> assertThat(last.at(version)).isEqualTo(view)));
  }

  @Property(tries = 100)
  void trimmedSnapshotsStillMergeWhatCameLater(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 4) int replicas) {
    RandomHistory history = new RandomHistory(seed, replicas);
    history.run(60);
    history.settle();
    Document full = history.replicas.getFirst();
    VersionVector point = full.version();
    Document trimmed = Document.load(full.exportState(point), ReplicaId.of(900));
    assertThat(trimmed.view()).isEqualTo(full.view());
    assertThat(trimmed.version()).isEqualTo(full.version());
    history.run(60);
    history.settle();
    full = history.replicas.getFirst();
    trimmed.merge(full.exportSince(point));
    assertThat(trimmed.view()).isEqualTo(full.view());
    Document half = Document.load(full.exportState(point), ReplicaId.of(901));
    assertThat(half.view()).isEqualTo(full.view());
    half.trim(half.version());
    assertThat(half.view()).isEqualTo(full.view());
  }

  @Property(tries = 100)
  void aForkIsWhatItsBytesWouldBeAndSharesNothing(@ForAll long seed) {
    RandomHistory history = new RandomHistory(seed, 3);
    history.run(60);
    Document original = history.replicas.getFirst();
    byte[] bytes = original.exportSnapshot();
    Document fork = original.fork(ReplicaId.of(900));
    Document loaded = Document.load(bytes, ReplicaId.of(900));
    assertThat(fork.view()).isEqualTo(loaded.view());
    assertThat(fork.exportSnapshot()).isEqualTo(loaded.exportSnapshot());
    for (Document copy : List.of(fork, loaded)) {
      copy.text("text").insert(0, "new");
      copy.list("list").add("new");
      copy.map("map").put("new", "new");
      copy.counter("counter").add(1);
      copy.commit();
    }
    assertThat(original.exportSnapshot()).isEqualTo(bytes);
    Document read = Document.load(fork.exportSnapshot(), ReplicaId.of(901));
    assertThat(read.view()).isEqualTo(loaded.view());
    history.settle();
    for (Document copy : List.of(fork, loaded)) {
      history.sent.forEach(copy::merge);
    }
    assertThat(fork.view()).isEqualTo(loaded.view());
  }

  @Property(tries = 100)
  void mergingIsIdempotentCommutativeAndAssociative(@ForAll long seed) {
    RandomHistory history = new RandomHistory(seed, 3);
    history.run(60);
    history.replicas.forEach(Document::commit);
    byte[] a = history.replicas.get(0).exportSnapshot();
    byte[] b = history.replicas.get(1).exportSnapshot();
    byte[] c = history.replicas.get(2).exportSnapshot();
    Document leftFirst = merged(merged(a, b), c);
    Document rightFirst = merged(a, merged(b, c).exportSnapshot());
    Document reversed = merged(merged(c, b), a);
    assertThat(rightFirst.view()).isEqualTo(leftFirst.view());
    assertThat(reversed.view()).isEqualTo(leftFirst.view());
    assertThat(reversed.version()).isEqualTo(leftFirst.version());
    DocumentView before = leftFirst.view();
    assertThat(leftFirst.merge(b).applied()).isZero();
    assertThat(leftFirst.view()).isEqualTo(before);
  }

  private static Document merged(byte[] a, byte[] b) {
    return merged(Document.load(a, ReplicaId.of(77)), b);
  }

  private static Document merged(Document document, byte[] other) {
    document.merge(other);
    return document;
  }
}

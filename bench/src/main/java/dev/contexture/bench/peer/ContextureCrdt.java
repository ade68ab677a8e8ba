package dev.contexture.bench.peer;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.crdt.SharedText;
import dev.contexture.crdt.VersionVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Ours. */
public final class ContextureCrdt implements CrdtPeer {
  private static final String TEXT = "text";

  private final boolean commitEach;

  /**
   * @param commitEach whether each transaction of a sequential trace is a commit
   */
  public ContextureCrdt(boolean commitEach) {
    this.commitEach = commitEach;
  }

  @Override
  public String name() {
    return commitEach ? "contexture, a commit per transaction" : "contexture";
  }

  @Override
  public Replayed replay(EditingTrace trace) {
    Document document = trace.concurrent() ? concurrent(trace) : sequential(trace);
    return new Loaded(document);
  }

  private Document sequential(EditingTrace trace) {
    Document document = Document.create(ReplicaId.of(1));
    SharedText text = document.text(TEXT);
    text.insert(0, trace.startContent());
    for (EditingTrace.Transaction txn : trace.transactions()) {
      for (EditingTrace.Patch patch : txn.patches()) {
        text.splice(patch.position(), patch.deleted(), patch.inserted());
      }
      if (commitEach) {
        document.commit();
      }
    }
    document.commit();
    return document;
  }

  private static Document concurrent(EditingTrace trace) {
    Map<Integer, Document> documents = new HashMap<>();
    List<byte[]> deltas = new ArrayList<>();
    TraceMerge merge = new TraceMerge(trace);
    for (EditingTrace.Transaction txn : trace.transactions()) {
      Document document =
          documents.computeIfAbsent(txn.agent(), a -> Document.create(ReplicaId.of(a + 1L)));
      merge.missing(txn).forEach(index -> document.merge(deltas.get(index)));
      VersionVector before = document.version();
      SharedText text = document.text(TEXT);
      for (EditingTrace.Patch patch : txn.patches()) {
        text.splice(patch.position(), patch.deleted(), patch.inserted());
      }
      document.commit();
      deltas.add(document.exportSince(before));
    }
    int agent = trace.transactions().getFirst().agent();
    Document all = documents.computeIfAbsent(agent, a -> Document.create(ReplicaId.of(a + 1L)));
    merge.missing(agent).forEach(index -> all.merge(deltas.get(index)));
    return all;
  }

  @Override
  public String load(byte[] saved) {
    return Document.load(saved, ReplicaId.of(7)).text(TEXT).toString();
  }

  private record Loaded(Document document) implements Replayed {
    @Override
    public String text() {
      return document.text(TEXT).toString();
    }

    @Override
    public byte[] save() {
      return document.exportSnapshot();
    }

    @Override
    public int oneCharacterDelta() {
      VersionVector before = document.version();
      document.text(TEXT).append("x");
      document.commit();
      return document.exportSince(before).length;
    }

    @Override
    public void close() {}
  }
}

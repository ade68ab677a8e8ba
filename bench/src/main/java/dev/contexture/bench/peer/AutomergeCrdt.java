package dev.contexture.bench.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.automerge.AmValue;
import org.automerge.ChangeHash;
import org.automerge.Document;
import org.automerge.ObjectId;
import org.automerge.ObjectType;
import org.automerge.Transaction;

/** Automerge-java: a native library behind JNI. */
public final class AutomergeCrdt implements CrdtPeer {
  private static final String TEXT = "text";

  @Override
  public String name() {
    return "automerge-java 0.0.7";
  }

  @Override
  public Replayed replay(EditingTrace trace) {
    Document base = new Document();
    ObjectId text;
    try (Transaction tx = base.startTransaction()) {
      text = tx.set(ObjectId.ROOT, TEXT, ObjectType.TEXT);
      tx.spliceText(text, 0, 0, trace.startContent());
      tx.commit();
    }
    if (trace.concurrent()) {
      return new Loaded(concurrent(trace, base, text), text);
    }
    try (Transaction tx = base.startTransaction()) {
      trace.transactions().forEach(txn -> splice(tx, text, txn));
      tx.commit();
    }
    return new Loaded(base, text);
  }

  private static void splice(Transaction tx, ObjectId text, EditingTrace.Transaction txn) {
    for (EditingTrace.Patch patch : txn.patches()) {
      tx.spliceText(text, patch.position(), patch.deleted(), patch.inserted());
    }
  }

  private static Document concurrent(EditingTrace trace, Document base, ObjectId text) {
    Map<Integer, Document> documents = new HashMap<>();
    List<byte[]> deltas = new ArrayList<>();
    TraceMerge merge = new TraceMerge(trace);
    for (EditingTrace.Transaction txn : trace.transactions()) {
      Document document = documents.computeIfAbsent(txn.agent(), a -> base.fork());
      merge.missing(txn).forEach(index -> document.applyEncodedChanges(deltas.get(index)));
      ChangeHash[] before = document.getHeads();
      try (Transaction tx = document.startTransaction()) {
        splice(tx, text, txn);
        tx.commit();
      }
      deltas.add(document.encodeChangesSince(before));
    }
    int agent = trace.transactions().getFirst().agent();
    Document all = documents.computeIfAbsent(agent, a -> base.fork());
    merge.missing(agent).forEach(index -> all.applyEncodedChanges(deltas.get(index)));
    documents.values().stream().filter(document -> document != all).forEach(Document::free);
    return all;
  }

  @Override
  public String load(byte[] saved) {
    Document document = Document.load(saved);
    try {
      AmValue value = document.get(ObjectId.ROOT, TEXT).orElseThrow();
      return document.text(((AmValue.Text) value).getId()).orElseThrow();
    } finally {
      document.free();
    }
  }

  private record Loaded(Document document, ObjectId id) implements Replayed {
    @Override
    public String text() {
      return document.text(id).orElseThrow();
    }

    @Override
    public byte[] save() {
      return document.save();
    }

    @Override
    public int oneCharacterDelta() {
      ChangeHash[] before = document.getHeads();
      try (Transaction tx = document.startTransaction()) {
        tx.spliceText(id, document.length(id), 0, "x");
        tx.commit();
      }
      return document.encodeChangesSince(before).length;
    }

    @Override
    public void close() {
      document.free();
    }
  }
}

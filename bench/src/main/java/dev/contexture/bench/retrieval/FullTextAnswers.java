package dev.contexture.bench.retrieval;

import dev.contexture.bench.peer.TwoTablePeer;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers the questions of a set with SQLite's full-text index, one database for each corpus. */
final class FullTextAnswers {
  private FullTextAnswers() {}

  /** The documents that each question finds, best first, by the question's id. */
  static Map<String, List<String>> of(RetrievalSet set, int depth) {
    Map<String, TwoTablePeer> peers = new HashMap<>();
    try {
      for (Map.Entry<String, List<RetrievalSet.Doc>> corpus : set.corpora().entrySet()) {
        peers.put(corpus.getKey(), peer(corpus.getValue()));
      }
      Map<String, List<String>> ranked = new LinkedHashMap<>();
      for (RetrievalSet.Query query : set.queries()) {
        TwoTablePeer peer = peers.get(query.corpus());
        ranked.put(query.id(), peer == null ? List.of() : peer.search(query.text(), depth));
      }
      for (TwoTablePeer peer : peers.values()) {
        peer.close();
      }
      return ranked;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static TwoTablePeer peer(List<RetrievalSet.Doc> docs) throws SQLException {
    boolean conversation = docs.stream().noneMatch(doc -> doc.speaker().isBlank());
    return new TwoTablePeer(
        docs.stream().map(RetrievalSet.Doc::id).toList(),
        docs.stream().map(FullTextAnswers::text).toList(),
        conversation);
  }

  private static String text(RetrievalSet.Doc doc) {
    return doc.speaker().isBlank()
        ? doc.content()
        : doc.speaker() + " " + doc.time() + "\n" + doc.content();
  }
}

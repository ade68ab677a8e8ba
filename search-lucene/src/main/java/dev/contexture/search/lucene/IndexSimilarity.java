package dev.contexture.search.lucene;

import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;

/**
 * Scores the fields of the index. An entry itself: BM25 with little weight on its length, because
 * passages are of similar length anyhow, and a short answer is not better for being short. What
 * stands around it: {@link NearSimilarity}.
 */
final class IndexSimilarity {
  private static final float K1 = 1.2f;
  private static final float OWN_B = 0.4f;

  static final Similarity SIMILARITY =
      new PerFieldSimilarityWrapper() {
        private final Similarity own = new BM25Similarity(K1, OWN_B);
        private final Similarity near = new NearSimilarity();

        @Override
        public Similarity get(String field) {
          return field.equals(IndexFields.NEAR) ? near : own;
        }
      };

  private IndexSimilarity() {}
}

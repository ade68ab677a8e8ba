package dev.contexture.search.lucene;

import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;

/**
 * BM25, with less weight on the length of an entry itself than of what stands around it: passages
 * are of similar length anyhow, and a short answer is not better for being short.
 */
final class IndexSimilarity {
  private static final float K1 = 1.2f;
  private static final float OWN_B = 0.4f;
  private static final float NEAR_B = 0.75f;

  static final Similarity SIMILARITY =
      new PerFieldSimilarityWrapper() {
        private final Similarity own = new BM25Similarity(K1, OWN_B);
        private final Similarity near = new BM25Similarity(K1, NEAR_B);

        @Override
        public Similarity get(String field) {
          return field.equals(IndexFields.NEAR) ? near : own;
        }
      };

  private IndexSimilarity() {}
}

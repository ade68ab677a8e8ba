package dev.contexture.search.lucene;

import org.apache.lucene.analysis.tokenattributes.FlagsAttribute;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;

/**
 * Scores what stands around an entry. The score of a word is {@code idf * weight * f / (f + K1)},
 * with one weight for each document that is known when it is written:
 *
 * <ol>
 *   <li>{@link #share}: a short message is understood by what stands around it, a long one by
 *       itself, so that the share falls with the length of the whole message.
 *   <li>{@code 1 / (1 + words / PIVOT_WORDS)}: one word among many tells less. The pivot is fixed,
 *       unlike the average length of BM25, so that short messages next to long ones keep theirs.
 * </ol>
 *
 * <p>The norm of a document is the level of its weight on a logarithmic scale. A higher norm scores
 * less at any frequency, which is what Lucene needs to skip documents that cannot be among the
 * best.
 */
final class NearSimilarity extends Similarity {
  private static final double K1 = 1.2;
  private static final double PIVOT_WORDS = 100;

  /** How many characters a message has whose surroundings count 1/e. */
  private static final double SHARE_CHARS = 2_000;

  /** Below it what stands around a message is not worth its place in the index. */
  private static final double LEAST_SHARE = 0.02;

  private static final double LEVELS_PER_E = 32;
  private static final int MAX_LEVEL = 255;
  private static final float[] WEIGHTS = new float[MAX_LEVEL + 1];

  static {
    for (int level = 0; level <= MAX_LEVEL; level++) {
      WEIGHTS[level] = (float) ((1 + K1) * Math.exp(-(level - 1) / LEVELS_PER_E));
    }
  }

  /** What stands around a message of so many characters counts, from 0 (not at all) to 1. */
  static double share(int chars) {
    double length = chars / SHARE_CHARS;
    double share = Math.exp(-length * length);
    return share < LEAST_SHARE ? 0 : share;
  }

  /** What a word counts at most that stands in or around a passage, with so many words there. */
  static double weight(double share, int words) {
    return (1 + K1) * share / (1 + words / PIVOT_WORDS);
  }

  /** A share as the flags of a stream of words carry it. */
  static int flags(double share) {
    return level(share);
  }

  private static int level(double weight) {
    return Math.clamp(1 + Math.round(-Math.log(weight) * LEVELS_PER_E), 1, MAX_LEVEL);
  }

  @Override
  public long computeNorm(FieldInvertState state) {
    int words = state.getLength() - state.getNumOverlap();
    FlagsAttribute flags = state.getAttributeSource().getAttribute(FlagsAttribute.class);
    int share = flags == null ? 1 : Math.max(1, flags.getFlags());
    return (byte) Math.min(MAX_LEVEL, share - 1 + level(1 / (1 + words / PIVOT_WORDS)));
  }

  @Override
  public SimScorer scorer(
      float boost, CollectionStatistics collection, TermStatistics... statistics) {
    double idf = 0;
    for (TermStatistics term : statistics) {
      double others = collection.docCount() - term.docFreq() + 0.5;
      idf += Math.log(1 + others / (term.docFreq() + 0.5));
    }
    float weight = (float) (boost * idf);
    return new SimScorer() {
      @Override
      public float score(float frequency, long norm) {
        return weight * WEIGHTS[(int) (norm & MAX_LEVEL)] * (frequency / (frequency + (float) K1));
      }
    };
  }
}

package dev.contexture.search.lucene;

import dev.contexture.search.IndexFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues.DocIndexIterator;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.VectorUtil;
import org.jspecify.annotations.Nullable;

/**
 * Finds vectors: exactly while the filter leaves at most {@link #EXACT} of them, above that by a
 * graph. The filter applies before ranking in both.
 */
final class Vectors {
  private static final int EXACT = 10_000;

  /** What an entry loses for having e times as many passages: more of them hit by chance. */
  private static final double LOSS = 0.03;

  private Vectors() {}

  /** A document and its cosine, less what the number of passages of its entry costs. */
  record Scored(int doc, float cosine) {}

  /** Documents by cosine, best first: at least {@code count} of them if there are as many. */
  static List<Scored> search(IndexSearcher searcher, float[] vector, IndexFilter filter, int count)
      throws IOException {
    List<Scored> found = nearest(searcher, vector, filter, count);
    found.sort(Comparator.comparingInt(Scored::doc));
    List<Scored> weighed = new ArrayList<>(found.size());
    int at = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      NumericDocValues passages = leaf.reader().getNumericDocValues(IndexFields.VECTORS);
      int end = leaf.docBase + leaf.reader().maxDoc();
      for (; at < found.size() && found.get(at).doc < end; at++) {
        Scored hit = found.get(at);
        boolean known = passages != null && passages.advanceExact(hit.doc - leaf.docBase);
        double loss = known ? LOSS * Math.log((double) passages.longValue()) : 0;
        weighed.add(new Scored(hit.doc, (float) (hit.cosine - loss)));
      }
    }
    weighed.sort(Comparator.comparingDouble((Scored hit) -> -hit.cosine()));
    return weighed;
  }

  private static List<Scored> nearest(
      IndexSearcher searcher, float[] vector, IndexFilter filter, int count) throws IOException {
    String field = IndexFields.vectors(vector.length);
    BooleanQuery.Builder kind = new BooleanQuery.Builder();
    kind.add(FilterQuery.term(IndexFields.KIND, IndexFields.VECTOR), Occur.FILTER);
    Query scope = FilterQuery.of(IndexFields.VECTOR, filter);
    Query allowed =
        searcher.rewrite((scope == null ? kind : kind.add(scope, Occur.FILTER)).build());
    List<Scored> exact = exact(searcher, field, vector, allowed);
    if (exact != null) {
      return exact;
    }
    Query unlessAll = scope == null ? null : allowed; // only they have vectors
    TopDocs found =
        searcher.search(new KnnFloatVectorQuery(field, vector, count, unlessAll), count);
    List<Scored> scored = new ArrayList<>(found.scoreDocs.length);
    for (ScoreDoc hit : found.scoreDocs) {
      scored.add(new Scored(hit.doc, 2 * hit.score - 1)); // the score is (1 + cosine) / 2
    }
    return scored;
  }

  /** All of them; null: there are too many. */
  private static @Nullable List<Scored> exact(
      IndexSearcher searcher, String field, float[] vector, Query allowed) throws IOException {
    Weight weight = searcher.createWeight(allowed, ScoreMode.COMPLETE_NO_SCORES, 1);
    int[] docs = documents(searcher, weight);
    if (docs == null) {
      return null;
    }
    List<Scored> scored = new ArrayList<>(docs.length);
    int at = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      FloatVectorValues values = leaf.reader().getFloatVectorValues(field);
      DocIndexIterator places = values == null ? null : values.iterator();
      int end = leaf.docBase + leaf.reader().maxDoc();
      for (; at < docs.length && docs[at] < end; at++) {
        int doc = docs[at] - leaf.docBase;
        if (values == null || places == null || !isAt(places, doc)) {
          continue; // of other dimensions
        }
        float cosine = VectorUtil.dotProduct(vector, values.vectorValue(places.index()));
        scored.add(new Scored(docs[at], cosine));
      }
    }
    return scored;
  }

  private static boolean isAt(DocIndexIterator places, int doc) throws IOException {
    return places.docID() == doc || (places.docID() < doc && places.advance(doc) == doc);
  }

  /** The live documents, in order; null: there are too many. */
  private static int @Nullable [] documents(IndexSearcher searcher, Weight weight)
      throws IOException {
    int[] found = new int[EXACT];
    int count = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Scorer scorer = weight.scorer(leaf);
      if (scorer == null) {
        continue;
      }
      Bits live = leaf.reader().getLiveDocs();
      DocIdSetIterator docs = scorer.iterator();
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
        if (live == null || live.get(doc)) {
          if (count == EXACT) {
            return null;
          }
          found[count++] = leaf.docBase + doc;
        }
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** Lucene's own formats, with vectors of up to 4,096 numbers. */
  static final class Codec extends Lucene104Codec {
    private static final int MAX_DIMENSIONS = 4_096;

    /**
     * Below some thousand vectors comparing with all is as fast as a graph, and needs no making.
     */
    private static final int NO_GRAPH_BELOW_VISITS = 400;

    private final KnnVectorsFormat format =
        new LargeVectors(
            new Lucene99HnswVectorsFormat(
                Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
                Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
                Lucene99HnswVectorsFormat.DEFAULT_NUM_MERGE_WORKER,
                null,
                NO_GRAPH_BELOW_VISITS));

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
      return format;
    }

    /** Says the name of what it wraps, so that Lucene reads the files without this class. */
    private static final class LargeVectors extends KnnVectorsFormat {
      private final KnnVectorsFormat wrapped;

      LargeVectors(KnnVectorsFormat wrapped) {
        super(wrapped.getName());
        this.wrapped = wrapped;
      }

      @Override
      public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
        return wrapped.fieldsWriter(state);
      }

      @Override
      public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
        return wrapped.fieldsReader(state);
      }

      @Override
      public int getMaxDimensions(String field) {
        return MAX_DIMENSIONS;
      }
    }
  }
}

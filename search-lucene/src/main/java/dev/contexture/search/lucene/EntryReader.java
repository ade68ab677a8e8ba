package dev.contexture.search.lucene;

import dev.contexture.search.IndexHit;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex.Indexed;
import dev.contexture.search.SearchIndex.Parked;
import dev.contexture.search.SearchIndex.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Reads entries from their documents. Confined to one search. */
final class EntryReader {
  private static final List<SearchContentType> TYPES = Documents.TYPES;

  private final IndexReader reader;

  EntryReader(IndexReader reader) {
    this.reader = reader;
  }

  /** The entries of documents that are ordered by score: each once, with its best document. */
  List<IndexHit> best(ScoreDoc[] documents, int limit) throws IOException {
    Map<String, IndexHit> hits = new LinkedHashMap<>();
    for (ScoreDoc document : documents) {
      String id = text(IndexFields.ID, document.doc);
      if (!hits.containsKey(id)) {
        if (hits.size() == limit) {
          break;
        }
        SearchContentType type = TYPES.get((int) number(IndexFields.TYPE, document.doc));
        hits.put(id, new IndexHit(id, type, document.score, text(IndexFields.HASH, document.doc)));
      }
    }
    List<IndexHit> ordered = new ArrayList<>(hits.values());
    ordered.sort(
        Comparator.comparingDouble(IndexHit::score).reversed().thenComparing(IndexHit::id));
    return ordered;
  }

  /** The hash of the first live document with a term. */
  Optional<String> hash(Term term) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      PostingsEnum postings = leaf.reader().postings(term, PostingsEnum.NONE);
      Bits live = leaf.reader().getLiveDocs();
      while (postings != null && postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (live == null || live.get(postings.docID())) {
          return Optional.of(text(IndexFields.HASH, leaf.docBase + postings.docID()));
        }
      }
    }
    return Optional.empty();
  }

  /** The first and last place of the live documents with a term. */
  Optional<Span> span(Term term) throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (LeafReaderContext leaf : reader.leaves()) {
      PostingsEnum postings = leaf.reader().postings(term, PostingsEnum.NONE);
      Bits live = leaf.reader().getLiveDocs();
      while (postings != null && postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (live == null || live.get(postings.docID())) {
          long seq = number(IndexFields.SEQ, leaf.docBase + postings.docID());
          first = Math.min(first, seq);
          last = Math.max(last, seq);
        }
      }
    }
    return first > last ? Optional.empty() : Optional.of(new Span(first, last));
  }

  /** Entries with words, by id. */
  List<Indexed> list(@Nullable String after, int limit) throws IOException {
    List<Indexed> entries = new ArrayList<>();
    Terms keys = MultiTerms.getTerms(reader, IndexFields.KEY);
    if (keys == null) {
      return entries;
    }
    Bits live = MultiBits.getLiveDocs(reader);
    TermsEnum terms = keys.iterator();
    BytesRef start = new BytesRef(IndexFields.key(IndexFields.TEXT, after == null ? "" : after));
    PostingsEnum postings = null;
    BytesRef term = terms.seekCeil(start) == TermsEnum.SeekStatus.END ? null : terms.term();
    for (; term != null && entries.size() < limit; term = terms.next()) {
      String key = term.utf8ToString();
      if (!key.startsWith(IndexFields.TEXT)) {
        break;
      }
      postings = terms.postings(postings, PostingsEnum.NONE);
      int doc = postings.nextDoc();
      while (doc != DocIdSetIterator.NO_MORE_DOCS && live != null && !live.get(doc)) {
        doc = postings.nextDoc();
      }
      String id = key.substring(IndexFields.TEXT.length());
      if (doc != DocIdSetIterator.NO_MORE_DOCS && !id.equals(after)) {
        entries.add(new Indexed(id, text(IndexFields.HASH, doc)));
      }
    }
    return entries;
  }

  List<Parked> parked(IndexSearcher searcher, int limit) throws IOException {
    List<Parked> parked = new ArrayList<>();
    for (ScoreDoc hit :
        searcher.search(FilterQuery.anyOf(IndexFields.FIRST, LuceneIndex.PARKED), limit)
            .scoreDocs) {
      String error = searcher.storedFields().document(hit.doc).get(IndexFields.ERROR);
      parked.add(new Parked(text(IndexFields.ID, hit.doc), error == null ? "" : error));
    }
    return parked;
  }

  /** Groups with an entry that something else than a maker parked. */
  List<String> outdated(IndexSearcher searcher, String maker, int limit) throws IOException {
    Query others =
        new BooleanQuery.Builder()
            .add(FilterQuery.anyOf(IndexFields.FIRST, LuceneIndex.PARKED), Occur.FILTER)
            .add(FilterQuery.term(IndexFields.MAKER, maker), Occur.MUST_NOT)
            .build();
    Set<String> groups = new LinkedHashSet<>();
    for (ScoreDoc hit : searcher.search(others, limit).scoreDocs) {
      groups.add(searcher.storedFields().document(hit.doc).get(IndexFields.GROUP));
    }
    return List.copyOf(groups);
  }

  private String text(String field, int doc) throws IOException {
    LeafReaderContext leaf = leaf(doc);
    BinaryDocValues values = leaf.reader().getBinaryDocValues(field);
    if (values == null || !values.advanceExact(doc - leaf.docBase)) {
      throw new IOException("document " + doc + " has no " + field);
    }
    return values.binaryValue().utf8ToString();
  }

  private long number(String field, int doc) throws IOException {
    LeafReaderContext leaf = leaf(doc);
    NumericDocValues values = leaf.reader().getNumericDocValues(field);
    if (values == null || !values.advanceExact(doc - leaf.docBase)) {
      throw new IOException("document " + doc + " has no " + field);
    }
    return values.longValue();
  }

  private LeafReaderContext leaf(int doc) {
    return reader.leaves().get(ReaderUtil.subIndex(doc, reader.leaves()));
  }
}

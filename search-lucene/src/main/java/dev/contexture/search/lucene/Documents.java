package dev.contexture.search.lucene;

import dev.contexture.block.Timestamps;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.Passages;
import dev.contexture.search.SearchContentType;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Turns an entry into documents of the index: one for each passage, and one for each vector. No
 * text is kept, only its words: hits are read from the store.
 */
final class Documents {
  /** By the number that stands for each in an index; new ones go to the end. */
  static final List<SearchContentType> TYPES =
      List.of(SearchContentType.MESSAGES, SearchContentType.BLOCKS, SearchContentType.ARCHIVAL);

  private static final FieldType NO_POSITIONS = new FieldType(TextField.TYPE_NOT_STORED);

  static {
    NO_POSITIONS.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    NO_POSITIONS.freeze();
  }

  private Documents() {}

  static List<Document> text(IndexDocument source, NearWords nearWords) {
    List<Document> passages = new ArrayList<>();
    String near = source.context().isEmpty() ? "" : "\n" + source.context();
    boolean said = source.entry().type() == SearchContentType.MESSAGES;
    double share = said ? NearSimilarity.share(source.text().length()) : 1;
    Language language = Language.of(source.text(), source.description() + "\n" + source.context());
    for (String passage : Passages.of(source.text())) {
      Document document = start(IndexFields.TEXT, source.entry(), passages.isEmpty());
      String own = source.hint().isEmpty() ? passage : source.hint() + "\n" + passage;
      addOwn(document, own, language);
      if (share > 0) {
        document.add(new Field(IndexFields.NEAR, nearWords.of(own + near, share), NO_POSITIONS));
      }
      if (!source.label().isEmpty()) {
        document.add(new TextField(IndexFields.LABEL, source.label(), Field.Store.NO));
      }
      if (!source.description().isEmpty()) {
        document.add(text(IndexFields.DESCRIPTION, source.description(), language));
      }
      passages.add(document);
    }
    return passages;
  }

  private static void addOwn(Document document, String own, @Nullable Language language) {
    document.add(text(IndexFields.OWN, own, language));
    if (language != null) {
      add(document, IndexFields.LANGUAGE, language.code());
    }
    if (language != null && language.compounds()) {
      Compounds.of(TextAnalysis.INDEX.words(own))
          .forEach(part -> add(document, IndexFields.PARTS, part));
    }
  }

  private static Field text(String field, String text, @Nullable Language language) {
    return new Field(
        field,
        KnownWords.of(TextAnalysis.INDEX.in(language).words(text)),
        TextField.TYPE_NOT_STORED);
  }

  static List<Document> vectors(IndexEntry entry, List<float[]> vectors) {
    List<Document> chunks = new ArrayList<>();
    for (float[] vector : vectors) {
      Document document = start(IndexFields.VECTOR, entry, chunks.isEmpty());
      document.add(
          new KnnFloatVectorField(
              IndexFields.vectors(vector.length), vector, VectorSimilarityFunction.DOT_PRODUCT));
      if (entry.type() == SearchContentType.MESSAGES) {
        document.add(new NumericDocValuesField(IndexFields.VECTORS, vectors.size()));
      }
      chunks.add(document);
    }
    return chunks;
  }

  static Document parked(IndexEntry entry, String error, String maker) {
    Document document = start(IndexFields.PARKED, entry, true);
    addReason(document, entry, error, maker);
    return document;
  }

  /** Holds no more than what it takes to list it, to try it again and to remove it. */
  static Document parkedText(IndexEntry entry, String error, String maker) {
    Document document = new Document();
    document.add(new StringField(IndexFields.FIRST, IndexFields.PARKED_TEXT, Field.Store.NO));
    document.add(new StringField(IndexFields.KIND, IndexFields.PARKED_TEXT, Field.Store.NO));
    identify(document, IndexFields.TEXT, entry);
    addReason(document, entry, error, maker);
    return document;
  }

  private static void addReason(Document document, IndexEntry entry, String error, String maker) {
    document.add(new StoredField(IndexFields.ERROR, error));
    document.add(new StoredField(IndexFields.GROUP, entry.group()));
    add(document, IndexFields.MAKER, maker);
  }

  private static void identify(Document document, String kind, IndexEntry entry) {
    document.add(
        new StringField(IndexFields.KEY, IndexFields.key(kind, entry.id()), Field.Store.NO));
    document.add(new BinaryDocValuesField(IndexFields.ID, new BytesRef(entry.id())));
    document.add(new BinaryDocValuesField(IndexFields.HASH, new BytesRef(entry.hash())));
    document.add(new StringField(IndexFields.GROUP, entry.group(), Field.Store.NO));
    document.add(new NumericDocValuesField(IndexFields.SEQ, entry.seq()));
    add(document, IndexFields.USER, entry.user());
    if (entry.user() != null && entry.type() != SearchContentType.MESSAGES) {
      add(document, IndexFields.PERSONAL, IndexFields.YES);
    }
    add(document, IndexFields.CONVERSATION, entry.conversation());
  }

  private static Document start(String kind, IndexEntry entry, boolean first) {
    Document document = new Document();
    if (first) {
      document.add(new StringField(IndexFields.FIRST, kind, Field.Store.NO));
    }
    document.add(new StringField(IndexFields.KIND, kind, Field.Store.NO));
    identify(document, kind, entry);
    document.add(new StringField(IndexFields.TYPE, entry.type().name(), Field.Store.NO));
    document.add(new NumericDocValuesField(IndexFields.TYPE, TYPES.indexOf(entry.type())));
    document.add(new LongField(IndexFields.AT, Timestamps.toMillis(entry.at()), Field.Store.NO));
    add(document, IndexFields.AGENT, entry.agent());
    add(document, IndexFields.ROLE, entry.role());
    entry.tags().forEach(tag -> add(document, IndexFields.TAG, tag));
    return document;
  }

  private static void add(Document document, String field, @Nullable String value) {
    if (value != null) {
      document.add(new StringField(field, value, Field.Store.NO));
    }
  }
}

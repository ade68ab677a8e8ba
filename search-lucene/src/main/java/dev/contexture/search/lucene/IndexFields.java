package dev.contexture.search.lucene;

/** The fields of the documents in an index. */
final class IndexFields {
  /** What is written as {@link #KIND}, and the first letter of {@link #KEY}. */
  static final String TEXT = "t";

  static final String VECTOR = "v";
  static final String PARKED = "p";

  /** Stands in the place of the words of an entry, under the key of {@link #TEXT}. */
  static final String PARKED_TEXT = "w";

  static final String KIND = "kind";

  /** The kind, only in the first document of an entry: for counting. */
  static final String FIRST = "first";

  /** Kind and id: what a document is replaced by. */
  static final String KEY = "key";

  static final String ID = "id";
  static final String GROUP = "group";
  static final String TYPE = "type";
  static final String AGENT = "agent";
  static final String USER = "user";
  static final String CONVERSATION = "conversation";

  /** {@link #YES} in memory that belongs to a user of its agent. */
  static final String PERSONAL = "personal";

  static final String YES = "1";
  static final String ROLE = "role";
  static final String AT = "at";
  static final String SEQ = "seq";
  static final String HASH = "hash";
  static final String ERROR = "error";

  /** What parked an entry, see {@link LuceneIndex.Settings}. */
  static final String MAKER = "maker";

  /** What the metadata of an archival entry holds, one term for each value. */
  static final String TAG = "tag";

  /** A passage of the entry itself. */
  static final String OWN = "own";

  /** What stands around it, with itself. */
  static final String NEAR = "near";

  /** Stretches of long words, see {@link Compounds}. */
  static final String PARTS = "parts";

  /** The code of the {@link Language} whose stems are there too; none for English. */
  static final String LANGUAGE = "language";

  /** How many vectors a message has. */
  static final String VECTORS = "vectors";

  static final String LABEL = "label";
  static final String DESCRIPTION = "description";

  private IndexFields() {}

  /** The field of the vectors of one model: another one may have other dimensions. */
  static String vectors(int dimensions) {
    return "vec" + dimensions;
  }

  static String key(String kind, String id) {
    return kind + id;
  }
}

package dev.contexture.search.lucene;

import dev.contexture.search.IndexPosition;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.IndexWriter;

/** The position that a commit of an index carries, with the form of its documents. */
final class CommitPosition {
  /** Raised when documents change their form: an index of another form is rebuilt. */
  private static final String FORMAT = "5";

  private static final String FORMAT_KEY = "format";
  private static final String TEXT_KEY = "text";
  private static final String VECTORS_KEY = "vectors";
  private static final String MODEL_KEY = "model";

  private CommitPosition() {}

  /**
   * The position of the last commit.
   *
   * @throws IOException if the index has another form
   */
  static IndexPosition read(IndexWriter writer) throws IOException {
    Map<String, String> kept = new HashMap<>();
    Iterable<Map.Entry<String, String>> data = writer.getLiveCommitData();
    if (data != null) {
      data.forEach(entry -> kept.put(entry.getKey(), entry.getValue()));
    }
    if (kept.isEmpty() && writer.getDocStats().maxDoc == 0) {
      return IndexPosition.START;
    }
    if (!FORMAT.equals(kept.get(FORMAT_KEY))) {
      throw new IOException("the index has form " + kept.get(FORMAT_KEY) + ", not " + FORMAT);
    }
    try {
      return new IndexPosition(
          Long.parseLong(kept.getOrDefault(TEXT_KEY, "")),
          Long.parseLong(kept.getOrDefault(VECTORS_KEY, "")),
          kept.getOrDefault(MODEL_KEY, ""));
    } catch (NumberFormatException damaged) {
      throw new IOException("the position of the index cannot be read: " + kept, damaged);
    }
  }

  /** Lets the next commit carry a position. */
  static void write(IndexWriter writer, IndexPosition position) {
    writer.setLiveCommitData(
        Map.of(
                FORMAT_KEY, FORMAT,
                TEXT_KEY, Long.toString(position.text()),
                VECTORS_KEY, Long.toString(position.vectors()),
                MODEL_KEY, position.model())
            .entrySet());
  }
}

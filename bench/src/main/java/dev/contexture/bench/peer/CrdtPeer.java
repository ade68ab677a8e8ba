package dev.contexture.bench.peer;

/**
 * A library that replays an editing trace. One trace is replayed by one replica per agent; each
 * agent's replica has merged exactly what a transaction follows before it edits.
 */
public interface CrdtPeer {
  String name();

  /** Replays the whole trace; the result holds everything. */
  Replayed replay(EditingTrace trace);

  /** Reads a saved document until its text can be read, and returns the text. */
  String load(byte[] saved);

  /** A document after replay. */
  interface Replayed extends AutoCloseable {
    String text();

    /** The document with its full history. */
    byte[] save();

    /** Bytes that tell another replica of one more character at the end. */
    int oneCharacterDelta();

    @Override
    void close();
  }
}

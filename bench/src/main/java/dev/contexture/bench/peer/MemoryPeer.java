package dev.contexture.bench.peer;

import dev.contexture.bench.support.SampleMessage;
import java.util.List;
import java.util.function.Supplier;

/** Something that keeps conversations durably and gives what a model is to be sent. */
public interface MemoryPeer extends AutoCloseable {
  /** More than any conversation here has: no side may leave messages out. */
  int MAX_MESSAGES = 1_000_000;

  /** Who it is, with its version. */
  String name();

  /** What its figures are of, to be put behind the number of messages. */
  default String figure() {
    return "";
  }

  /** Whether it gives what a model is to be sent; if not, it only writes. */
  default boolean sends() {
    return true;
  }

  /** Stores messages of a new conversation, as fast as it can. Not measured. */
  void fill(String conversation, List<SampleMessage> messages);

  /**
   * The measured step: adds one message durably, and gets what the next model call would be sent.
   *
   * @return the texts of what is sent, in order, to be asked for after the clock has stopped
   */
  Supplier<List<String>> add(String conversation, SampleMessage message);

  @Override
  void close();
}

package dev.contexture.server.http;

import dev.contexture.ContextBrowser;
import dev.contexture.engine.session.WindowSize;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.load.LoadLimiter;
import java.util.Map;

/**
 * Sets memory aside for what a request works with, before it is there, until the request ends.
 * Confined to one request.
 */
final class RequestMemory {
  private static final int SHOWN_TIMES = 4; // as parts, as values, as text and as bytes
  private static final int LOADED_TIMES = 2; // as rows and as blocks

  private final LoadLimiter.Admission admission;

  RequestMemory(LoadLimiter.Admission admission) {
    this.admission = admission;
  }

  /**
   * Sets memory aside.
   *
   * @throws ContextureException the code if it is, with what is held already, more than a request
   *     can ever have, {@code too_many_requests} or {@code store_unavailable} if it is not there
   *     now
   */
  void hold(String what, ErrorCode tooLarge, long bytes) {
    hold(what, tooLarge, bytes, "");
  }

  private void hold(String what, ErrorCode tooLarge, long bytes, String advice) {
    long most = admission.most();
    long all = admission.held() + bytes;
    if (all > most) {
      throw new ContextureException(
          tooLarge,
          what + " has " + all + " bytes in memory; allowed: at most " + most + advice,
          Map.of("field", what, "limit", most, "actual", all),
          null);
    }
    admission.hold(bytes);
  }

  /**
   * Sets aside what it takes to load a conversation and show it as a whole, before it is loaded.
   *
   * @throws ContextureException {@code limit_exceeded} if it is larger than the server has memory
   *     for, {@code too_many_requests} or {@code store_unavailable}
   */
  ContextBrowser shown(ContextBrowser chat) {
    WindowSize size = chat.size();
    long expected = size.expectedBytes();
    hold("conversation", ErrorCode.LIMIT_EXCEEDED, expected * SHOWN_TIMES);
    long more = Math.max(0, size.loadedBytes() - expected); // what the store could not tell
    hold("conversation", ErrorCode.LIMIT_EXCEEDED, more * SHOWN_TIMES);
    return chat;
  }

  /**
   * Sets aside what it takes to load a conversation, before it is loaded; nothing if it is.
   *
   * @throws ContextureException as {@link #shown}
   */
  ContextBrowser loaded(ContextBrowser chat) {
    hold("conversation", ErrorCode.LIMIT_EXCEEDED, chat.size().bytesToLoad() * LOADED_TIMES);
    return chat;
  }

  /**
   * Sets aside what it takes to show more that was read just now.
   *
   * @throws ContextureException as {@link #shown}; to ask for less at once helps
   */
  void read(long bytes) {
    hold("answer", ErrorCode.LIMIT_EXCEEDED, bytes * SHOWN_TIMES, "; ask for less at once");
  }
}

package dev.contexture.engine.session;

import org.apiguardian.api.API;

/**
 * Says what a conversation takes of memory while it is loaded, about, so that whoever has little
 * can ask first. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public final class WindowSize {
  private final Session session;

  public WindowSize(Session session) {
    this.session = session;
  }

  /** How many bytes the blocks hold, or would if they were loaded; loads nothing. */
  public long expectedBytes() {
    return session.locked(session::expectedBytes);
  }

  /** How many bytes the loaded blocks hold; loads the conversation if need be. */
  public long loadedBytes() {
    return session.locked(session::currentBytes);
  }

  /** How many bytes are to be loaded before anything can be done; 0 if it is loaded. */
  public long bytesToLoad() {
    return session.locked(session::bytesToLoad);
  }
}

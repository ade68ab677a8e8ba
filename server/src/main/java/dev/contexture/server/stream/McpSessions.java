package dev.contexture.server.stream;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.mcp.McpSession;
import dev.contexture.mcp.McpSettings;
import dev.contexture.server.ServerLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that are connected. A session belongs to whoever began it, with the same key, project and
 * settings; for others there is none of that id. Thread-safe.
 */
final class McpSessions implements AutoCloseable {
  /**
   * To whom a session belongs.
   *
   * @param key null: the server has no keys
   */
  record Holder(@Nullable String key, Scope scope, McpSettings settings) {}

  /** A session, when it was last used, and who follows it. Guarded by the sessions. */
  private static final class Entry {
    private final Holder holder;
    private final McpSession session;
    private long usedNanos = System.nanoTime();
    private EventRoutes.@Nullable Stream stream;

    private Entry(Holder holder, McpSession session) {
      this.holder = holder;
      this.session = session;
    }
  }

  private final Map<String, Entry> entries = new HashMap<>();
  private final IdGenerator ids;
  private final String version;

  McpSessions(IdGenerator ids, String version) {
    this.ids = ids;
    this.version = version;
  }

  /** A session that is not known to others yet. */
  McpSession begin(Contexture engine, Holder holder) {
    return McpSession.open(engine, version, holder.scope(), holder.settings());
  }

  /**
   * Keeps a session; where its holder has too many, the one that was not used for the longest time
   * ends.
   *
   * @return its id
   */
  synchronized String keep(Holder holder, McpSession session) {
    endIdle();
    List<String> own = of(holder.key());
    if (own.size() >= ServerLimits.MCP_SESSIONS_PER_KEY) {
      end(own.getFirst());
    } else if (entries.size() >= ServerLimits.MCP_SESSIONS) {
      session.close();
      throw new ContextureException(
          ErrorCode.TOO_MANY_REQUESTS,
          "the server has " + entries.size() + " sessions, as many as it keeps; try again later");
    }
    String id = ids.of("mcp");
    entries.put(id, new Entry(holder, session));
    return id;
  }

  private List<String> of(@Nullable String key) {
    List<String> own = new ArrayList<>();
    long now = System.nanoTime();
    entries.entrySet().stream()
        .filter(entry -> Objects.equals(entry.getValue().holder.key(), key))
        .sorted(Comparator.comparingLong(entry -> entry.getValue().usedNanos - now))
        .forEach(entry -> own.add(entry.getKey()));
    return own;
  }

  private void endIdle() {
    long now = System.nanoTime();
    entries.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().stream == null
                    && now - entry.getValue().usedNanos > ServerLimits.MCP_IDLE.toNanos())
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::end);
  }

  /**
   * The session of an id.
   *
   * @throws ContextureException {@code not_found} if there is none, or it is somebody else's
   */
  synchronized McpSession find(String id, Holder holder) {
    return entry(id, holder).session;
  }

  private Entry entry(String id, Holder holder) {
    Entry entry = entries.get(id);
    if (entry == null || !entry.holder.equals(holder)) {
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND,
          "Mcp-Session-Id",
          id,
          "a session that this caller began and that is not over; begin one with initialize");
    }
    entry.usedNanos = System.nanoTime();
    return entry;
  }

  /** A stream begins to follow a session; one that did so before ends. */
  void followed(String id, Holder holder, EventRoutes.Stream stream) {
    EventRoutes.Stream before;
    synchronized (this) {
      Entry entry = entry(id, holder);
      before = entry.stream;
      entry.stream = stream;
    }
    if (before != null) {
      before.close();
    }
  }

  synchronized void unfollowed(String id, EventRoutes.Stream stream) {
    Entry entry = entries.get(id);
    if (entry != null && stream.equals(entry.stream)) {
      entry.stream = null;
      entry.usedNanos = System.nanoTime();
    }
  }

  /** Ends a session, and the stream that follows it. */
  synchronized void end(String id, Holder holder) {
    entry(id, holder);
    end(id);
  }

  private void end(String id) {
    Entry gone = Objects.requireNonNull(entries.remove(id));
    if (gone.stream != null) {
      gone.stream.close();
    }
    gone.session.close();
  }

  @Override
  public synchronized void close() {
    List.copyOf(entries.keySet()).forEach(this::end);
  }
}

package dev.contexture.server.stream;

import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Event streams: what happened after a version, and then what happens. Thread-safe; closing ends
 * all streams.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EventRoutes implements AutoCloseable {
  private final Duration heartbeat;
  private final Set<Stream> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param heartbeat how long a stream says nothing before it shows that it is alive
   */
  public EventRoutes(Duration heartbeat) {
    this.heartbeat = heartbeat;
  }

  /** The streams of a conversation, and of what happens in the conversations of the project. */
  public List<Route> routes() {
    return List.of(
        Route.get(Route.CONVERSATION + "/events", this::follow, "after"),
        Route.get("/v1/events", this::followProject));
  }

  /** The stream of an agent's memory. */
  public List<Route> memoryRoutes() {
    return List.of(
        Route.get(Route.AGENT + "/events", this::followMemory, "after", MemoryView.USER));
  }

  /** The stream of one reader. */
  interface Stream extends AutoCloseable {
    /** Sends what came after an id, and goes on until it is closed. */
    void run(long after, Duration heartbeat) throws IOException;

    @Override
    void close();
  }

  /** Starts to write to a reader. */
  interface Opening {
    Stream to(OutputStream out);
  }

  private Response follow(Call call) {
    long after = after(call);
    call.known();
    return stream(call, after, out -> new EventStream(call, out));
  }

  private Response followProject(Call call) {
    call.caller().mayReachAll();
    return stream(
        call, 0, out -> new ProjectStream(call.engine(), call.scope(), out, call::isAdmitted));
  }

  private Response followMemory(Call call) {
    long after = after(call);
    MemoryStore all = call.engine().memory(call.scope()).forEverybody();
    String agent = MemoryView.readableAgent(call);
    Predicate<@Nullable String> seen = MemoryView.seen(call);
    return stream(
        call,
        after,
        out ->
            new MemoryStream(
                all,
                notice -> notice.owner().equals(agent) && seen.test(notice.user()),
                agent,
                out,
                call::isAdmitted,
                call.engine().store().isShared()));
  }

  private static long after(Call call) {
    return call.query("after")
        .or(() -> Optional.ofNullable(call.http().header("Last-Event-ID")))
        .map(EventRoutes::version)
        .orElse(0L);
  }

  /** Sends a stream until it ends, or its reader goes away. */
  Response stream(Call call, long after, Opening opening) {
    call.admission().stream();
    call.work().streams();
    HttpServletResponse response = call.http().res();
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType("text/event-stream; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    try (Stream stream = opening.to(response.getOutputStream())) {
      open.add(stream);
      try {
        if (!closed) {
          stream.run(after, heartbeat);
        }
      } finally {
        open.remove(stream);
      }
    } catch (IOException gone) {
      // The reader went away, or did not read for too long: it resumes from its last id.
      System.getLogger(EventRoutes.class.getName())
          .log(System.Logger.Level.DEBUG, "a reader of events was dropped", gone);
    }
    return Response.STREAMED;
  }

  private static long version(String text) {
    try {
      long version = Long.parseLong(text);
      if (version >= 0) {
        return version;
      }
    } catch (NumberFormatException notANumber) {
      // refused below
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "after", text, "a version, which is the id of an event");
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(Stream::close);
  }
}

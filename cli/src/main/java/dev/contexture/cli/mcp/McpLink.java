package dev.contexture.cli.mcp;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * A session at whatever process serves the store. When that process ends, the link finds the next
 * one, which may be this, begins a session there and asks for what the host had asked for: its
 * subscriptions and its level of messages. Thread-safe.
 */
public final class McpLink implements AutoCloseable {
  private static final String SESSION = "Mcp-Session-Id";
  private static final String DATA = "data: ";
  private static final Duration ANSWER = Duration.ofHours(1); // an approval may take that long
  private static final Duration LAST = Duration.ofSeconds(5);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int ATTEMPTS = 3;

  private final McpLocator locator;
  private final Map<String, String> kept = new LinkedHashMap<>(); // by what they are about
  private @Nullable McpEndpoint endpoint;
  private @Nullable String session;
  private @Nullable String opening; // the message that began the session
  private long generation; // grows with each server that was found
  private volatile boolean closed;

  public McpLink(McpLocator locator) {
    this.locator = locator;
  }

  /** A server, a session there, and which one of all that were there. */
  private record Place(McpEndpoint endpoint, @Nullable String session, long generation) {}

  /**
   * Finds a server, so that a store that cannot be opened is told at once.
   *
   * @throws ContextureException as the store says
   */
  public void connect() {
    place();
  }

  private synchronized Place place() {
    McpEndpoint there = endpoint;
    if (there == null) {
      there = locator.locate();
      endpoint = there;
      generation++;
    }
    if (session == null && opening != null && !closed) {
      resume(new Place(there, null, generation), opening);
    }
    return new Place(there, session, generation);
  }

  /**
   * Sends a message and returns its answer; empty if it has none.
   *
   * @throws ContextureException what the server refused it with, or {@code store_unavailable} if it
   *     cannot be reached, or went away while it worked on the message
   */
  public Optional<String> send(JsonObject message) {
    String method = message.string("method").orElse("");
    boolean opens = method.equals("initialize");
    for (int attempt = 1; ; attempt++) {
      Place place = place();
      try {
        HttpResponse<String> answer = post(place, message.toJson());
        if (answer.statusCode() == NOT_FOUND && !opens && attempt < ATTEMPTS) {
          reconnect(place); // the session is over: nothing was done
          continue;
        }
        if (opens) {
          begun(answer, message);
        } else {
          remember(method, message);
        }
        return text(answer);
      } catch (IOException gone) {
        boolean never = gone instanceof ConnectException || gone instanceof SSLHandshakeException;
        reconnect(place);
        if (attempt >= ATTEMPTS || (!never && method.equals("tools/call"))) {
          throw unanswered(place, never, gone);
        }
      }
    }
  }

  private static ContextureException unanswered(Place place, boolean never, IOException gone) {
    String address = place.endpoint().address().getAuthority();
    return new ContextureException(
        ErrorCode.STORE_UNAVAILABLE,
        never
            ? "the server at " + address + " has the store open, but cannot be reached: " + gone
            : "the process that served the store ended while it worked on this; it may be done or"
                + " not: look before you try again",
        Map.of("server", address),
        gone);
  }

  private HttpResponse<String> post(Place place, String body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(place.endpoint().address())
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return sent(request, place, HttpResponse.BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> sent(
      HttpRequest.Builder request, Place place, HttpResponse.BodyHandler<T> handler)
      throws IOException {
    place.endpoint().headers().forEach(request::header);
    if (place.session() != null) {
      request.header(SESSION, place.session());
    }
    try {
      return place.endpoint().client().send(request.build(), handler);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", early);
    }
  }

  private synchronized void begun(HttpResponse<String> answer, JsonObject message) {
    if (answer.statusCode() == OK) {
      session = answer.headers().firstValue(SESSION).orElse(null);
      opening = message.toJson();
    }
  }

  /** Keeps what another server would have to be told. */
  private synchronized void remember(String method, JsonObject message) {
    String uri = message.object("params").flatMap(params -> params.string("uri")).orElse("");
    switch (method) {
      case "notifications/initialized", "logging/setLevel" -> kept.put(method, message.toJson());
      case "resources/subscribe" -> kept.put(uri, message.toJson());
      case "resources/unsubscribe" -> kept.remove(uri);
      default -> {}
    }
  }

  private static Optional<String> text(HttpResponse<String> answer) {
    String body = answer.body().strip();
    if (answer.statusCode() / 100 == 2) {
      return body.isEmpty() ? Optional.empty() : Optional.of(body);
    }
    throw refused(body, answer.statusCode());
  }

  private static ContextureException refused(String body, int status) {
    try {
      if (JsonValue.parse(body) instanceof JsonObject problem) {
        String code = problem.string("code").orElse("");
        String detail = problem.string("detail").orElse("");
        return new ContextureException(ErrorCode.FORBIDDEN, code + ": " + detail);
      }
    } catch (ContextureException noJson) {
      // told below
    }
    return new ContextureException(
        ErrorCode.STORE_UNAVAILABLE, "the server answered " + status + " without a reason");
  }

  /** Leaves a server that went away, unless another thread did so already. */
  private synchronized void reconnect(Place left) {
    if (closed || left.generation() != generation) {
      return;
    }
    left.endpoint().close();
    endpoint = null;
    session = null;
    place();
  }

  /** Begins the session again; where that fails, the next message tries it once more. */
  private synchronized void resume(Place next, String first) {
    try {
      session = post(next, first).headers().firstValue(SESSION).orElse(null);
      Place found = new Place(next.endpoint(), session, next.generation());
      for (String again : kept.values()) {
        post(found, again);
      }
    } catch (IOException goneToo) {
      System.getLogger(McpLink.class.getName())
          .log(System.Logger.Level.DEBUG, "another server went away", goneToo);
    }
  }

  /** Hands on what the server says without being asked, until this is closed. */
  void follow(Consumer<String> listener) {
    while (!closed) {
      try {
        follow(place(), listener);
      } catch (ContextureException none) { // the next message of the host is told so
        System.getLogger(McpLink.class.getName())
            .log(System.Logger.Level.DEBUG, "there is no server now", none);
      }
      if (!closed) {
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
    }
  }

  private void follow(Place place, Consumer<String> listener) {
    try {
      read(place, listener);
    } catch (IOException gone) {
      if (!closed) {
        reconnect(place);
      }
    }
  }

  private void read(Place place, Consumer<String> listener) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(place.endpoint().address())
            .header("Accept", "text/event-stream")
            .GET();
    HttpResponse<InputStream> answer =
        sent(request, place, HttpResponse.BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      if (answer.statusCode() == NOT_FOUND) {
        throw new IOException("the session is over");
      }
      for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
        if (line.startsWith(DATA) && answer.statusCode() == OK) {
          listener.accept(line.substring(DATA.length()));
        }
      }
    }
  }

  /** Ends the session, and the server if it is one of this process. */
  @Override
  public void close() {
    Place last;
    synchronized (this) {
      if (closed || endpoint == null) {
        closed = true;
        return;
      }
      closed = true;
      last = place();
    }
    try {
      if (last.session() != null && last.endpoint().own() == null) {
        sent(
            HttpRequest.newBuilder(last.endpoint().address()).timeout(LAST).DELETE(),
            last,
            HttpResponse.BodyHandlers.discarding());
      }
    } catch (IOException goneAlready) {
      System.getLogger(McpLink.class.getName())
          .log(System.Logger.Level.DEBUG, "the server was gone before the session", goneAlready);
    } finally {
      last.endpoint().client().shutdownNow();
      last.endpoint().close();
    }
  }
}

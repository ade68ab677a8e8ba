package dev.contexture.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** A provider on a local port that gives the answers it was told to, one after the other. */
final class ScriptedModel implements AutoCloseable {
  private static final int PIECE = 17;

  private final HttpServer server;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Answer> script = new ArrayDeque<>();
  private final List<String> requests = new ArrayList<>();

  private record Answer(int status, String type, String body) {}

  private ScriptedModel(HttpServer server) {
    this.server = server;
  }

  static ScriptedModel start(String path) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      ScriptedModel model = new ScriptedModel(server);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext(path, model::handle);
      server.start();
      return model;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  ScriptedModel answers(String body) {
    return add(new Answer(200, "application/json", body));
  }

  ScriptedModel fails(int status, String body) {
    return add(new Answer(status, "application/json", body));
  }

  /** Sends server-sent events, in pieces that respect no boundary. */
  ScriptedModel streams(String events) {
    return add(new Answer(200, "text/event-stream", events));
  }

  private ScriptedModel add(Answer answer) {
    lock.lock();
    try {
      script.add(answer);
      return this;
    } finally {
      lock.unlock();
    }
  }

  /** The bodies of what was asked. */
  List<String> requests() {
    lock.lock();
    try {
      return List.copyOf(requests);
    } finally {
      lock.unlock();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Answer answer = next(request);
      exchange.getResponseHeaders().set("content-type", answer.type);
      exchange.sendResponseHeaders(answer.status, 0);
      byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
      try (OutputStream out = exchange.getResponseBody()) {
        for (int from = 0; from < body.length; from += PIECE) {
          out.write(body, from, Math.min(PIECE, body.length - from));
          out.flush();
        }
      }
    }
  }

  private Answer next(String request) {
    lock.lock();
    try {
      requests.add(request);
      Answer answer = script.poll();
      return answer == null
          ? new Answer(400, "application/json", "{\"error\":{\"message\":\"no more script\"}}")
          : answer;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** A golden file of the provider specification. */
  static String golden(String name) {
    try (InputStream in =
        ScriptedModel.class.getResourceAsStream("/dev/contexture/provider/golden/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}

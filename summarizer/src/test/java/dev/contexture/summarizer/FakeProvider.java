package dev.contexture.summarizer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** A provider on this machine that answers what it is told, in order; the last answer repeats. */
final class FakeProvider implements AutoCloseable {
  /** What it answers. */
  record Scripted(int status, String body, Duration delay) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Deque<Scripted> script = new ArrayDeque<>();
  private final List<HttpExchange> exchanges = Collections.synchronizedList(new ArrayList<>());
  private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());

  FakeProvider() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  FakeProvider then(int status, String body) {
    return then(status, body, Duration.ZERO);
  }

  synchronized FakeProvider then(int status, String body, Duration delay) {
    script.add(new Scripted(status, body, delay));
    return this;
  }

  int requests() {
    return bodies.size();
  }

  JsonObject body(int index) {
    return (JsonObject) JsonValue.parse(bodies.get(index));
  }

  String path(int index) {
    return exchanges.get(index).getRequestURI().getPath();
  }

  String header(int index, String name) {
    String value = exchanges.get(index).getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private void answer(HttpExchange exchange) throws IOException {
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    exchanges.add(exchange);
    Scripted next = next();
    LockSupport.parkNanos(next.delay.toNanos());
    byte[] bytes = next.body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("retry-after-ms", "1");
    exchange.sendResponseHeaders(next.status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private synchronized Scripted next() {
    return script.size() > 1 ? script.removeFirst() : script.getFirst();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

package dev.contexture.server;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection on which anything can be said. */
final class Raw implements AutoCloseable {
  private final Socket socket;

  Raw(TestServer served) throws IOException {
    this(served.server().port());
  }

  Raw(int port) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
  }

  /** Says one thing and returns everything that comes back until the server closes. */
  static String ask(TestServer served, String request) throws IOException {
    try (Raw raw = new Raw(served)) {
      raw.say(request);
      return raw.rest();
    }
  }

  static String get(String target, String host) {
    return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
  }

  /** The head of a request whose body is to follow. */
  static String post(String target, long length) {
    return "POST "
        + target
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  void say(String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Reads until something was said, or the server closes. */
  String until(String said) throws IOException {
    StringBuilder got = new StringBuilder();
    while (got.indexOf(said) < 0) {
      int c = socket.getInputStream().read();
      if (c < 0) {
        break;
      }
      got.append((char) c);
    }
    return got.toString();
  }

  /** Whether something came back already. */
  boolean isAnswered() throws IOException {
    return socket.getInputStream().available() > 0;
  }

  String rest() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

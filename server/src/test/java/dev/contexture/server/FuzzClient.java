package dev.contexture.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends any bytes as a request, over one connection as long as the server keeps it.
 * Waiting longer than a minute for an answer is a {@link java.net.SocketTimeoutException}. Confined
 * to one thread.
 */
final class FuzzClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final int port;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  FuzzClient(int port) {
    this.port = port;
  }

  /**
   * What was answered.
   *
   * @param status 0: the server closed the connection without an answer
   */
  record Reply(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  /** Sends a request; one that finds its connection closed is sent once more. */
  Reply send(byte[] request, boolean head) throws IOException {
    boolean kept = socket != null;
    try {
      Reply reply = attempt(request, head);
      if (reply.status() != 0 || !kept) {
        return reply;
      }
    } catch (java.net.SocketTimeoutException hangs) {
      throw hangs;
    } catch (IOException broken) {
      close();
      if (!kept) {
        throw broken;
      }
    }
    return attempt(request, head);
  }

  private Reply attempt(byte[] request, boolean head) throws IOException {
    Socket open = connected();
    try {
      open.getOutputStream().write(request);
      open.getOutputStream().flush();
    } catch (IOException refusedEarly) {
      // The answer may lie there all the same.
    }
    return read(java.util.Objects.requireNonNull(in), head);
  }

  private Socket connected() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = new Socket(InetAddress.getLoopbackAddress(), port);
      open.setTcpNoDelay(true);
      open.setSoTimeout(PATIENCE_MILLIS);
      socket = open;
      in = new BufferedInputStream(open.getInputStream());
    }
    return open;
  }

  private Reply read(InputStream from, boolean head) throws IOException {
    String first = line(from);
    if (!first.startsWith("HTTP/1.")) {
      close();
      return new Reply(0, Map.of(), first);
    }
    int status = Integer.parseInt(first.substring(9, 12));
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(from); !line.isEmpty(); line = line(from)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    if (headers.getOrDefault("content-type", "").startsWith("text/event-stream")) {
      close();
      return new Reply(status, headers, "");
    }
    boolean bare = head || status == 204 || status == 304;
    String body = bare ? "" : new String(body(from, headers), StandardCharsets.UTF_8);
    if (headers.getOrDefault("connection", "").equalsIgnoreCase("close")) {
      close();
    }
    return new Reply(status, headers, body);
  }

  private byte[] body(InputStream from, Map<String, String> headers) throws IOException {
    if (headers.containsKey("content-length")) {
      return from.readNBytes(Integer.parseInt(headers.get("content-length")));
    }
    if (!headers.containsKey("transfer-encoding")) {
      byte[] rest = from.readAllBytes();
      close();
      return rest;
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (int size = chunk(from); size > 0; size = chunk(from)) {
      whole.write(from.readNBytes(size));
      line(from);
    }
    line(from);
    return whole.toByteArray();
  }

  private static int chunk(InputStream from) throws IOException {
    return Integer.parseInt(line(from), 16);
  }

  private static String line(InputStream from) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = from.read(); c >= 0 && c != '\n'; c = from.read()) {
      line.append((char) c);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    Socket open = socket;
    socket = null;
    if (open != null) {
      open.close();
    }
  }
}

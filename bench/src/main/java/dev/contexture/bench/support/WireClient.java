package dev.contexture.bench.support;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One connection of HTTP/1.1 that stays open, and one request after the other over it. It does no
 * more than a server's answers need, so that the client costs little beside the server that it
 * measures on the same machine. Confined to one thread.
 */
public final class WireClient implements Closeable {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAX_LINE_BYTES = 1 << 13;
  private static final int HEX = 16;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String headers;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int next;
  private int end;

  /** What came back. */
  public record Got(int status, String body) {}

  public WireClient(int port) throws IOException {
    this(port, "");
  }

  /**
   * @param more headers of every request, each with its line end
   */
  public WireClient(int port, String more) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    headers = "Host: 127.0.0.1:" + port + "\r\n" + more;
  }

  public Got post(String path, String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream request = new ByteArrayOutputStream(content.length + 256);
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\n"
            + headers
            + "Content-Type: application/json\r\nContent-Length: "
            + content.length
            + "\r\n\r\n";
    request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    request.writeBytes(content);
    out.write(request.toByteArray());
    return answer();
  }

  /** Opens an event stream, which lasts until the connection is closed; returns the status. */
  public int stream(String path) throws IOException {
    String head = "GET " + path + " HTTP/1.1\r\n" + headers + "\r\n";
    out.write(head.getBytes(StandardCharsets.US_ASCII));
    String[] status = line().split(" ", -1);
    if (status.length < 2) {
      throw new IOException("no status line: " + String.join(" ", status));
    }
    return Integer.parseInt(status[1]);
  }

  private Got answer() throws IOException {
    String[] status = line().split(" ", -1);
    if (status.length < 2) {
      throw new IOException("no status line: " + String.join(" ", status));
    }
    int length = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(lower.indexOf(':') + 1).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.endsWith("chunked");
      }
    }
    byte[] body = chunked ? chunks() : bytes(length);
    return new Got(Integer.parseInt(status[1]), new String(body, StandardCharsets.UTF_8));
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int size = Integer.parseInt(line(), HEX);
    while (size > 0) {
      body.writeBytes(bytes(size));
      line();
      size = Integer.parseInt(line(), HEX);
    }
    line();
    return body.toByteArray();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int read = read(); read != '\n'; read = read()) {
      if (line.length() > MAX_LINE_BYTES) {
        throw new IOException("a line of the answer has no end");
      }
      if (read != '\r') {
        line.append((char) read);
      }
    }
    return line.toString();
  }

  private int read() throws IOException {
    if (next == end) {
      fill();
    }
    return buffer[next++] & 0xff;
  }

  private void fill() throws IOException {
    next = 0;
    end = Math.max(0, in.read(buffer));
    if (end == 0) {
      throw new EOFException("the server closed the connection");
    }
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = new byte[count];
    int done = 0;
    while (done < count) {
      if (next == end) {
        fill();
      }
      int part = Math.min(count - done, end - next);
      System.arraycopy(buffer, next, bytes, done, part);
      next += part;
      done += part;
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package dev.contexture.bench.load;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** What a tenant sends to keep a server from others, bounded. Confined to one thread. */
final class Attacks {
  /** Counts what got no answer. */
  static final int NO_ANSWER = 0;

  private static final String TENANT = "X-Tenant: attacker\r\n";
  private static final String CONVERSATION = "/v1/users/u1/conversations/c1";
  private static final int MIB = 1 << 20;
  private static final int QUIET_MILLIS = 3_000;
  private static final int DRIPS = 12;
  private static final int DRIP_MILLIS = 1_000;

  private final int port;
  private final int part;

  /**
   * @param part 1: all of each attack; 10: a tenth
   */
  Attacks(int port, int part) {
    this.port = port;
    this.part = part;
  }

  Map<Integer, Integer> nothing() throws InterruptedException {
    Thread.sleep(QUIET_MILLIS);
    return Map.of();
  }

  Map<Integer, Integer> unknownMethods() throws IOException {
    Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();
    for (int i = 0; i < 10_000 / part; i++) {
      String request =
          "BEFORE /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + TENANT + "\r\n";
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        byte[] got = socket.getInputStream().readAllBytes();
        String status = new String(got, StandardCharsets.US_ASCII).substring(9, 12);
        answers.merge(Integer.parseInt(status), 1, Integer::sum);
      }
    }
    return answers;
  }

  /** Opens connections, and sends a byte of a header over each of them now and then. */
  Map<Integer, Integer> slowHeaders() throws IOException, InterruptedException {
    List<Socket> open = new ArrayList<>();
    int cut = 0;
    try {
      for (int i = 0; i < 4_096 / part; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket
            .getOutputStream()
            .write("GET / HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
        open.add(socket);
      }
      for (int i = 0; i < DRIPS; i++) {
        Thread.sleep(DRIP_MILLIS);
        for (Socket socket : open) {
          cut += drip(socket) ? 0 : 1;
        }
      }
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
    return Map.of(NO_ANSWER, cut);
  }

  private static boolean drip(Socket socket) throws IOException {
    if (socket.isClosed()) {
      return true; // it was counted when it was cut off
    }
    try {
      socket.getOutputStream().write('x');
      return true;
    } catch (IOException cutOff) {
      socket.close();
      return false;
    }
  }

  Map<Integer, Integer> largeBodies() throws InterruptedException {
    byte[] body = json("{\"prompt\":\"", 60 * MIB / part, "\"}");
    return together(20, CONVERSATION + "/turns", body);
  }

  Map<Integer, Integer> simulate() throws InterruptedException {
    String start =
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"requests\":[{\"max_tokens\":1,"
            + "\"messages\":[{\"role\":\"user\",\"content\":\"";
    return together(1, "/v1/simulate", json(start, 5 * MIB / part, "\"}]}]}"));
  }

  Map<Integer, Integer> render() throws InterruptedException {
    together(1, CONVERSATION + "/turns", json("{\"prompt\":\"", 1, "\"}"));
    byte[] body = json("{\"system_text\":\"", 5 * MIB / part, "\"}");
    return together(1, CONVERSATION + "/render", body);
  }

  Map<Integer, Integer> rawQuery() throws InterruptedException {
    byte[] body = "{\"query\":\"/a{1000000}/\",\"raw\":true}".getBytes(StandardCharsets.UTF_8);
    return together(1, "/v1/agents/atlas/search", body);
  }

  private static byte[] json(String start, int letters, String end) {
    return (start + "a".repeat(letters) + end).getBytes(StandardCharsets.US_ASCII);
  }

  /** Sends the same at the same time, each over its own connection. */
  private Map<Integer, Integer> together(int times, String path, byte[] body)
      throws InterruptedException {
    Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      threads.add(
          Thread.ofPlatform().start(() -> answers.merge(send(path, body), 1, Integer::sum)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return answers;
  }

  private int send(String path, byte[] body) {
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + TENANT
            + "Content-Length: "
            + body.length
            + "\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(body);
      byte[] got = socket.getInputStream().readNBytes(12);
      return got.length < 12
          ? NO_ANSWER
          : Integer.parseInt(new String(got, 9, 3, StandardCharsets.US_ASCII));
    } catch (IOException cutOff) {
      return NO_ANSWER;
    }
  }
}

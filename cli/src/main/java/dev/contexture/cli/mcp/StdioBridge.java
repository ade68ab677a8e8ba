package dev.contexture.cli.mcp;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Hands lines of a host on to the server, and answers and notifications back. Messages are handed
 * on one after the other, as they came; only a ping does not wait for others. {@link #run} is
 * confined to one thread.
 */
public final class StdioBridge {
  private static final int WAITING = 256;
  private static final int PARSE_ERROR = -32700;
  private static final int INTERNAL = -32603;
  private static final JsonObject END = JsonObject.EMPTY;

  private final McpLink link;
  private final InputStream in;
  private final PrintWriter out;
  private final BlockingQueue<JsonObject> messages = new ArrayBlockingQueue<>(WAITING);
  private boolean follows; // of the worker

  /**
   * @param out gets nothing but messages, a line each
   */
  public StdioBridge(McpLink link, InputStream in, PrintWriter out) {
    this.link = link;
    this.in = in;
    this.out = out;
  }

  /** Works until the input ends, and what came before is answered. */
  public void run() throws IOException, InterruptedException {
    Thread worker = Thread.ofVirtual().start(this::work);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          take(line);
        }
        if (out.checkError()) {
          return; // the host is gone
        }
      }
    } finally {
      messages.put(END);
      worker.join();
    }
  }

  private void take(String line) throws InterruptedException {
    try {
      if (JsonValue.parse(line) instanceof JsonObject message) {
        if (message.string("method").orElse("").equals("ping")) {
          Thread.ofVirtual().start(() -> handOn(message));
        } else {
          messages.put(message);
        }
        return;
      }
      write(error(JsonNull.NULL, PARSE_ERROR, "a message is one JSON object"));
    } catch (ContextureException noJson) {
      write(error(JsonNull.NULL, PARSE_ERROR, String.valueOf(noJson.getMessage())));
    }
  }

  private void work() {
    try {
      for (JsonObject next = messages.take(); !next.isEmpty(); next = messages.take()) {
        handOn(next);
        if (!follows && next.string("method").orElse("").equals("notifications/initialized")) {
          follows = true;
          Thread.ofVirtual().start(() -> link.follow(this::write));
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void handOn(JsonObject message) {
    Optional<JsonValue> id = message.find("id");
    try {
      link.send(message).ifPresent(this::write);
    } catch (ContextureException refused) {
      id.ifPresent(one -> write(error(one, INTERNAL, String.valueOf(refused.getMessage()))));
    } catch (RuntimeException defect) {
      System.getLogger(StdioBridge.class.getName())
          .log(System.Logger.Level.ERROR, "a message was not handed on", defect);
      id.ifPresent(one -> write(error(one, INTERNAL, "the message was not handed on")));
    }
  }

  private static String error(JsonValue id, int code, String message) {
    return JsonObject.builder()
        .put("jsonrpc", "2.0")
        .put("id", id)
        .put("error", JsonObject.builder().put("code", code).put("message", message).build())
        .build()
        .toJson();
  }

  private void write(String message) {
    synchronized (out) {
      out.print(message);
      out.print('\n');
      out.flush();
    }
  }
}

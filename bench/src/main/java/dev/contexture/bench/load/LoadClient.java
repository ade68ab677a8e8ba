package dev.contexture.bench.load;

import dev.contexture.bench.support.StoreSamples;
import dev.contexture.bench.support.WireClient;
import dev.contexture.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One of many clients of a server: an agent that starts a turn, contributes ten blocks one by one,
 * renders and finishes, over and over. It remembers what the server acknowledged. Confined to one
 * thread; what it found is read once that has ended.
 */
final class LoadClient {
  static final int BLOCKS_PER_TURN = 10;
  static final int TURNS_PER_CONVERSATION = 10;
  private static final String SEQS = "\"seqs\":[";

  /** What a client does in a turn. */
  enum Step {
    START_TURN,
    CONTRIBUTE,
    RENDER,
    FINISH;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * What the server acknowledged of a turn: that it started, and what is said here.
   *
   * @param seqs the numbers of its blocks, in the order in which they were contributed
   */
  record Acknowledged(
      String user, String conversation, String turn, List<Long> seqs, boolean finished) {}

  private final int number;
  private final Map<Step, List<Long>> nanos = new EnumMap<>(Step.class);
  private final List<Acknowledged> turns = new ArrayList<>();
  private int measuredTurns;
  private volatile int finishedTurns;
  private @Nullable String error;
  private boolean cutOff;

  LoadClient(int number) {
    this.number = number;
  }

  /**
   * Works until it is told to stop, the server refuses something, or it is gone.
   *
   * @param going asked before each turn
   * @param measuring whether what begins now counts in the figures
   */
  void work(int port, BooleanSupplier going, BooleanSupplier measuring) {
    try (WireClient server = new WireClient(port)) {
      while (going.getAsBoolean() && error == null) {
        turn(server, measuring.getAsBoolean());
      }
    } catch (IOException gone) {
      cutOff = true;
    }
  }

  private void turn(WireClient server, boolean measured) throws IOException {
    String user = "u" + number;
    String conversation = "c" + number + "_" + turns.size() / TURNS_PER_CONVERSATION;
    String turn = "t" + number + "_" + turns.size();
    String base = "/v1/users/" + user + "/conversations/" + conversation;
    List<Long> seqs = new ArrayList<>(BLOCKS_PER_TURN);
    boolean started = false;
    boolean finished = false;
    try {
      started = ask(server, measured, Step.START_TURN, base + "/turns", start(turn)) != null;
      for (int i = 0; i < BLOCKS_PER_TURN && error == null; i++) {
        String got = ask(server, measured, Step.CONTRIBUTE, base + "/blocks", block(turn, i));
        if (got != null) {
          seqs.add(seq(got));
        }
      }
      if (error == null) {
        ask(server, measured, Step.RENDER, base + "/render", "{}");
      }
      if (error == null) {
        String path = base + "/turns/" + turn + "/finish";
        finished = ask(server, measured, Step.FINISH, path, "{\"completion\":\"done\"}") != null;
      }
      measuredTurns += measured && finished ? 1 : 0;
      finishedTurns = turns.size() + 1;
    } finally {
      if (started) {
        turns.add(new Acknowledged(user, conversation, turn, List.copyOf(seqs), finished));
      }
    }
  }

  /** Returns what was answered, or null if it was refused. */
  private @Nullable String ask(
      WireClient server, boolean measured, Step step, String path, String body) throws IOException {
    long start = System.nanoTime();
    WireClient.Got got = server.post(path, body);
    long taken = System.nanoTime() - start;
    if (got.status() / 100 != 2) {
      error = step.label() + ": " + got.status() + " " + got.body();
      return null;
    }
    if (measured) {
      nanos.computeIfAbsent(step, unused -> new ArrayList<>()).add(taken);
    }
    return got.body();
  }

  private static String start(String turn) {
    return JsonObject.builder()
        .put("turn_id", turn)
        .put("prompt", prompt(turn))
        .put("agent", "atlas")
        .build()
        .toJson();
  }

  private static String block(String turn, int i) {
    return "{\"blocks\":[{\"type\":\"react.note\",\"text\":\"" + text(turn, i) + "\"}]}";
  }

  static String prompt(String turn) {
    return "please do " + turn;
  }

  /** What the block of a turn says: 600 bytes that no other block has. */
  static String text(String turn, int i) {
    return StoreSamples.text(turn + " " + i);
  }

  private static long seq(String answer) throws IOException {
    int from = answer.indexOf(SEQS) + SEQS.length();
    int to = answer.indexOf(']', from);
    if (from < SEQS.length() || to < 0) {
      throw new IOException("an answer without a number: " + answer);
    }
    return Long.parseLong(answer.substring(from, to));
  }

  List<Long> nanos(Step step) {
    return nanos.getOrDefault(step, List.of());
  }

  List<Acknowledged> turns() {
    return turns;
  }

  /** How many turns it went through; any thread may ask. */
  int finishedTurns() {
    return finishedTurns;
  }

  /** How many measured turns were finished. */
  int measuredTurns() {
    return measuredTurns;
  }

  /** What the server refused; null if nothing. */
  @Nullable String error() {
    return error;
  }

  /** Whether the connection ended before the client did. */
  boolean cutOff() {
    return cutOff;
  }
}

package dev.contexture.compaction.summary;

import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The words of the user that a summary keeps, verbatim.
 *
 * <ol>
 *   <li>If all of them fit, all of them stay.
 *   <li>Else the first request of the conversation has up to half of the room, and the request of a
 *       divided turn up to half of what is left.
 *   <li>Whole sentences follow, by what they are worth; at equal worth the newer ones, and those
 *       that are worth nothing last.
 *   <li>If not one sentence of these requests fits, or none at all, the best one is cut at a word
 *       end.
 * </ol>
 *
 * Confined to one thread.
 */
public final class UserWords {
  private static final int FRAME_TOKENS = 2; // what stands around a message: a dash and a line end
  private static final int MAX_MISSES = 64;
  private static final String CUT = " …";

  private final TokenMeter meter;
  private final Map<String, Message> messages = new LinkedHashMap<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final Set<String> said = new HashSet<>(); // sentences that are kept; each once
  private @Nullable String divided;

  public UserWords(TokenMeter meter) {
    this.meter = meter;
  }

  /** The text of one block, or of the part of it that a summary kept. */
  private static final class Message {
    final TurnId turn;
    final long seq;
    final @Nullable BlockPath path;
    final List<String> runs = new ArrayList<>();
    long tokens;
    boolean shortened;
    @Nullable String cut;

    Message(TurnId turn, long seq, @Nullable BlockPath path) {
      this.turn = turn;
      this.seq = seq;
      this.path = path;
    }
  }

  /** A sentence with the blanks behind it. */
  private static final class Piece {
    final Message message;
    final int place;
    final int run;
    final String text;
    final int value;
    boolean kept;

    Piece(Message message, int place, int run, String text) {
      this.message = message;
      this.place = place;
      this.run = run;
      this.text = text;
      this.value = SignalWords.value(text);
    }
  }

  /**
   * A choice of the entries that stay and of those that do not.
   *
   * @param entries what stays, oldest first; sentences that follow each other are one entry
   * @param leftOut what does not, oldest first
   */
  public record Choice(List<SummaryEntry> entries, List<LeftOut> leftOut) {}

  /** Adds what the user said; oldest first. */
  public void add(TurnId turn, long seq, @Nullable BlockPath path, String text) {
    if (!text.isBlank()) {
      messages
          .computeIfAbsent(key(turn, path), unused -> new Message(turn, seq, path))
          .runs
          .add(text.strip());
    }
  }

  /** Says that a part of what the user said here was left out before. */
  public void markShortened(LeftOut before) {
    messages.values().stream()
        .filter(message -> message.path != null && message.path.text().equals(before.path()))
        .forEach(message -> message.shortened = true);
  }

  /** Whether something of what can be read here is known. */
  public boolean holds(String path) {
    return messages.containsKey(path);
  }

  /** Replaces what is known of a message by all of it. */
  public void replace(TurnId turn, @Nullable BlockPath path) {
    messages.remove(key(turn, path));
  }

  /** Names the request of the turn that is divided. */
  public void divide(TurnId turn, @Nullable BlockPath path) {
    divided = key(turn, path);
  }

  private static String key(TurnId turn, @Nullable BlockPath path) {
    return path == null ? turn.value() : path.text();
  }

  /** Chooses what has room in so many tokens. */
  public Choice choose(long tokens) {
    measure();
    pieces.forEach(piece -> piece.kept = false);
    said.clear();
    messages.values().forEach(message -> message.cut = null);
    long all = messages.values().stream().mapToLong(message -> message.tokens).sum();
    if (all <= tokens) {
      pieces.forEach(piece -> piece.kept = true);
      return choice();
    }
    long left = tokens - keepSome(of(firstKey()), tokens / 2);
    left -= keepSome(of(divided), left / 2);
    left -= keep(pieces, left, Comparator.reverseOrder());
    if (pieces.stream().noneMatch(piece -> piece.kept || piece.message.cut != null)) {
      cut(pieces, left);
    }
    return choice();
  }

  private @Nullable String firstKey() {
    return messages.isEmpty() ? null : messages.keySet().iterator().next();
  }

  private List<Piece> of(@Nullable String key) {
    Message message = key == null ? null : messages.get(key);
    return message == null
        ? List.of()
        : pieces.stream().filter(piece -> piece.message == message).toList();
  }

  private void measure() {
    if (!pieces.isEmpty()) {
      return;
    }
    int place = 0;
    for (Message message : messages.values()) {
      for (int run = 0; run < message.runs.size(); run++) {
        for (String sentence : Sentences.of(message.runs.get(run))) {
          pieces.add(new Piece(message, place++, run, sentence));
        }
        message.tokens += FRAME_TOKENS + tokens(message.runs.get(run));
      }
    }
  }

  /**
   * Keeps the best of these sentences; returns what they cost.
   *
   * @param places which of two equal ones comes first
   */
  private long keep(List<Piece> among, long tokens, Comparator<Integer> places) {
    List<Piece> best = new ArrayList<>(among);
    best.sort(
        Comparator.<Piece>comparingInt(piece -> -piece.value)
            .thenComparing(piece -> piece.place, places));
    long used = 0;
    int misses = 0;
    for (Piece piece : best) {
      if (piece.kept || misses > MAX_MISSES || said.contains(piece.text.strip())) {
        continue;
      }
      long cost = FRAME_TOKENS + tokens(piece.text.strip());
      if (used + cost <= tokens) {
        used += cost;
        piece.kept = true;
        said.add(piece.text.strip());
      } else {
        misses++;
      }
    }
    return used;
  }

  private long tokens(String text) {
    return meter.texts(List.of(text));
  }

  /** Keeps sentences of a request; if not one fits, the beginning of the best. */
  private long keepSome(List<Piece> request, long tokens) {
    long used = keep(request, tokens, Comparator.naturalOrder());
    boolean known = request.stream().anyMatch(piece -> said.contains(piece.text.strip()));
    return used > 0 || known ? used : cut(request, tokens);
  }

  /** Keeps the beginning of the best sentence, cut at a word end; nothing if no word fits. */
  private long cut(List<Piece> among, long tokens) {
    Piece best =
        among.stream()
            .max(
                Comparator.<Piece>comparingInt(piece -> piece.value)
                    .thenComparing(piece -> -piece.place))
            .orElse(null);
    String text = best == null ? "" : best.text.strip();
    while (best != null && !text.isEmpty()) {
      long cost = FRAME_TOKENS + tokens(text + CUT);
      if (cost <= tokens) {
        best.message.cut = text + CUT;
        return cost;
      }
      text = Sentences.cut(text, text.codePointCount(0, text.length()) * 3 / 4);
    }
    return 0;
  }

  private Choice choice() {
    List<SummaryEntry> entries = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    for (Message message : messages.values()) {
      List<Piece> own = pieces.stream().filter(piece -> piece.message == message).toList();
      List<String> runs = runs(own);
      if (runs.isEmpty() && message.cut != null) {
        runs.add(message.cut);
      }
      long kept = 0;
      for (String run : runs) {
        long cost = FRAME_TOKENS + tokens(run);
        kept += cost;
        entries.add(
            new SummaryEntry(
                SummaryEntry.Kind.USER, message.turn, message.seq, message.path, run, cost));
      }
      if (message.shortened
          || own.stream().anyMatch(piece -> !piece.kept && !said.contains(piece.text.strip()))) {
        String path = message.path == null ? "" : message.path.text();
        leftOut.add(new LeftOut(path, SummaryEntry.Kind.USER, Math.max(1, message.tokens - kept)));
      }
    }
    return new Choice(entries, leftOut);
  }

  /** The kept sentences as they follow each other. */
  private static List<String> runs(List<Piece> own) {
    List<String> runs = new ArrayList<>();
    StringBuilder run = new StringBuilder();
    Piece before = null;
    for (Piece piece : own) {
      boolean goesOn = before != null && before.kept && piece.kept && before.run == piece.run;
      if (!goesOn && !run.isEmpty()) {
        runs.add(run.toString().strip());
        run.setLength(0);
      }
      if (piece.kept) {
        run.append(piece.text);
      }
      before = piece;
    }
    if (!run.isEmpty()) {
      runs.add(run.toString().strip());
    }
    return runs;
  }
}

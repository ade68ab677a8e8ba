package dev.contexture.bench.replay;

import dev.contexture.bench.retention.SaidText;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.SentRequest;
import dev.contexture.simulator.replay.RecordedSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What others do with a conversation that grows, on the recorded blocks themselves. Each is the
 * policy alone, without its pitfalls: pairs are kept whole, and nothing is priced but the requests.
 */
public enum PeerPolicy {
  /** Everything, and no cache. */
  EVERYTHING_UNCACHED("everything, no limit, no cache", false),
  /** Everything, with a mark at the end. */
  EVERYTHING("everything, no limit, mark at the tail", false),
  /** The newest messages by number. */
  LAST_MESSAGES("last 20 messages, mark at the tail", false),
  /** The newest messages that fit. */
  WINDOW("token window that slides every request", true),
  /** Compaction that keeps half, with a running summary of first sentences that is cut blindly. */
  KEEP_HALF("blind summary at 90 %, keeps 50 %, marks system and tail", true),
  /** The same, keeping less. */
  KEEP_THIRD("blind summary at 90 %, keeps 30 %, marks system and tail", true),
  /** Results but the newest are cleared on each request. */
  CLEAR_RESULTS("old tool results cleared on every request", true);

  /** What a summary begins with. */
  public static final String SUMMARY = "[summary]\n";

  private static final int MESSAGES = 20;
  private static final int RESULTS = 3;
  private static final int SUMMARY_CHARS = 3_200;
  private static final int SENTENCE_CHARS = 200;
  private static final double TRIGGER = 0.9;

  private final String shown;
  private final boolean limited;

  PeerPolicy(String shown, boolean limited) {
    this.shown = shown;
    this.limited = limited;
  }

  public String shown() {
    return shown;
  }

  /** Whether the limit of a request matters to it. */
  boolean limited() {
    return limited;
  }

  /** The requests of a session, four characters per token. */
  public List<SentRequest> requests(RecordedSession session, long limit) {
    return requests(session, limit, PeerPolicy::quarters);
  }

  /** The requests of a session. */
  public List<SentRequest> requests(
      RecordedSession session, long limit, ToLongFunction<String> counter) {
    Map<String, Long> counted = new HashMap<>();
    ToLongFunction<String> tokens = text -> counted.computeIfAbsent(text, counter::applyAsLong);
    List<RecordedSession.Event.Said> said = new ArrayList<>();
    List<SentRequest> requests = new ArrayList<>();
    SentBlock system =
        CostTable.block(
            SentBlock.Tier.SYSTEM, "text", "system", session.system().toJson(), marksSystem());
    Compacted compacted = new Compacted(0, "");
    for (RecordedSession.Event event : session.events()) {
      if (event instanceof RecordedSession.Event.Said block) {
        said.add(block);
      } else if (!said.isEmpty()) {
        long room = limit - tokens.applyAsLong(CostTable.text(system));
        compacted = compacted(said, compacted, room, tokens);
        requests.add(request(system, said, compacted, room, tokens));
      }
    }
    return requests;
  }

  private boolean marksSystem() {
    return this == KEEP_HALF || this == KEEP_THIRD || this == CLEAR_RESULTS || this == WINDOW;
  }

  private double keeps() {
    return this == KEEP_HALF ? 0.5 : this == KEEP_THIRD ? 0.3 : 0;
  }

  /**
   * What a summary stands for.
   *
   * @param from the first block that is still sent
   * @param summary of what is not
   */
  private record Compacted(int from, String summary) {}

  private Compacted compacted(
      List<RecordedSession.Event.Said> said,
      Compacted before,
      long room,
      ToLongFunction<String> tokens) {
    if (keeps() == 0) {
      return before;
    }
    long used = tokens.applyAsLong(before.summary);
    for (RecordedSession.Event.Said block : said.subList(before.from, said.size())) {
      used += tokens.applyAsLong(block.text());
    }
    if (used <= TRIGGER * room) {
      return before;
    }
    int from =
        Math.max(before.from, wholePair(said, newest(said, (long) (keeps() * room), tokens)));
    return new Compacted(from, summary(before, said.subList(before.from, from)));
  }

  /** Half of it is the summary before, the rest the first sentences of what it replaces. */
  private static String summary(Compacted before, List<RecordedSession.Event.Said> replaced) {
    StringBuilder summary = new StringBuilder(SUMMARY);
    summary.append(beginning(before.summary.replace(SUMMARY, ""), SUMMARY_CHARS / 2));
    for (RecordedSession.Event.Said block : replaced) {
      List<String> sentences = SaidText.sentences(block.text());
      String first = sentences.isEmpty() ? block.text() : sentences.getFirst();
      summary.append('\n').append(beginning(first, SENTENCE_CHARS));
    }
    return beginning(summary.toString(), SUMMARY_CHARS);
  }

  private static String beginning(String text, int chars) {
    return text.length() <= chars ? text : text.substring(0, chars);
  }

  private SentRequest request(
      SentBlock system,
      List<RecordedSession.Event.Said> said,
      Compacted compacted,
      long room,
      ToLongFunction<String> tokens) {
    int from =
        switch (this) {
          case EVERYTHING_UNCACHED, EVERYTHING, CLEAR_RESULTS -> 0;
          case LAST_MESSAGES -> wholePair(said, Math.max(0, said.size() - MESSAGES));
          case WINDOW -> wholePair(said, newest(said, room, tokens));
          case KEEP_HALF, KEEP_THIRD -> compacted.from;
        };
    List<SentBlock> blocks = new ArrayList<>();
    blocks.add(system);
    if (!compacted.summary.isEmpty()) {
      blocks.add(
          CostTable.block(SentBlock.Tier.MESSAGES, "text", "user", compacted.summary, false));
    }
    int results = (int) said.stream().filter(PeerPolicy::isResult).count();
    int seen = 0;
    for (int i = 0; i < said.size(); i++) {
      RecordedSession.Event.Said block = said.get(i);
      seen += isResult(block) ? 1 : 0;
      if (i < from) {
        continue;
      }
      boolean cleared = this == CLEAR_RESULTS && isResult(block) && seen <= results - RESULTS;
      boolean mark = i == said.size() - 1 && this != EVERYTHING_UNCACHED;
      String text = cleared ? "[cleared]" : block.text();
      blocks.add(CostTable.block(SentBlock.Tier.MESSAGES, block.kind(), block.role(), text, mark));
    }
    return SentRequest.at(0, blocks);
  }

  private static boolean isResult(RecordedSession.Event.Said said) {
    return said.kind().equals("tool_result");
  }

  /** The first of the newest blocks that fit. */
  private static int newest(
      List<RecordedSession.Event.Said> said, long room, ToLongFunction<String> tokens) {
    long used = 0;
    int from = said.size();
    while (from > 0) {
      used += tokens.applyAsLong(said.get(from - 1).text());
      if (used > room) {
        break;
      }
      from--;
    }
    return Math.min(from, said.size() - 1);
  }

  /** The first block from an index on that is no result without its call. */
  private static int wholePair(List<RecordedSession.Event.Said> said, int from) {
    Set<String> results = Set.of("tool_result");
    int at = from;
    while (at > 0 && results.contains(said.get(at).kind())) {
      at--;
    }
    return at;
  }

  private static long quarters(String text) {
    return (text.length() + 3L) / 4;
  }
}

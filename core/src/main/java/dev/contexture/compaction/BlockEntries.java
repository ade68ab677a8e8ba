package dev.contexture.compaction;

import dev.contexture.block.BlockType;
import dev.contexture.compaction.summary.References;
import dev.contexture.compaction.summary.SummaryEntry;
import dev.contexture.compaction.summary.SummaryEntry.Kind;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.TextCutter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes entries of blocks without a model: answers, decisions, errors, and of the open turn what is
 * under way. Newest first.
 */
final class BlockEntries {
  private static final int LINE_CHARS = 200;
  private static final int NEWEST_CALLS = 3;
  private static final int NEWEST_NOTES = 3;
  private static final int REFERRED_SENTENCES = 2;
  private static final Pattern JSON_MARKS = Pattern.compile("\"params\":|[{}\"]");
  private static final Pattern WORD =
      Pattern.compile("[\\p{L}\\p{Nd}][\\p{L}\\p{Nd}_.:/-]*[\\p{L}\\p{Nd}]");

  private final Set<String> laterWords = new HashSet<>();
  private final List<SummaryEntry> entries = new ArrayList<>();

  private BlockEntries() {}

  /**
   * The entries of whole turns.
   *
   * @param later what the user says behind them
   */
  static List<SummaryEntry> ofHistory(List<SummaryRequest.Item> oldestFirst, List<String> later) {
    BlockEntries found = new BlockEntries();
    later.forEach(found::addLater);
    for (SummaryRequest.Item item : oldestFirst.reversed()) {
      BlockType type = item.type();
      if (type.equals(BlockType.USER_PROMPT)) {
        found.addLater(References.content(item));
      } else if (type.equals(BlockType.ASSISTANT_COMPLETION)) {
        found.add(Kind.ANSWER, item, found.answer(References.content(item)));
      } else {
        found.addOther(item);
      }
    }
    return found.entries;
  }

  /**
   * The entries of the beginning of a divided turn.
   *
   * @param open whether the turn goes on, so that something of it is under way
   */
  static List<SummaryEntry> ofPrefix(List<SummaryRequest.Item> oldestFirst, boolean open) {
    BlockEntries found = new BlockEntries();
    List<SummaryRequest.Item> notes = new ArrayList<>();
    List<SummaryRequest.Item> calls = new ArrayList<>();
    for (SummaryRequest.Item item : oldestFirst.reversed()) {
      if (item.type().equals(BlockType.REACT_NOTES)) {
        notes.add(item);
      } else if (item.type().isCall()) {
        calls.add(item);
      } else if (item.type().equals(BlockType.ASSISTANT_COMPLETION)) {
        found.add(Kind.ANSWER, item, found.answer(References.content(item)));
      } else {
        found.addOther(item);
      }
    }
    if (open) {
      List<SummaryRequest.Item> shown = notes.isEmpty() ? calls : notes;
      int most = notes.isEmpty() ? NEWEST_CALLS : NEWEST_NOTES;
      shown.stream().limit(most).forEach(item -> found.add(Kind.PROGRESS, item, text(item)));
    }
    return found.entries;
  }

  private void addOther(SummaryRequest.Item item) {
    if (item.type().equals(BlockType.REACT_NOTE)) {
      add(Kind.DECISION, item, References.content(item));
    } else if (item.error()) {
      add(Kind.ERROR, item, text(item));
    }
  }

  private void add(Kind kind, SummaryRequest.Item item, String text) {
    String line = TextCutter.atWord(text, LINE_CHARS);
    boolean known = entries.stream().anyMatch(e -> e.kind() == kind && e.text().equals(line));
    if (!line.isEmpty() && !known) {
      entries.add(new SummaryEntry(kind, item.turn(), item.seq(), item.blockPath(), line, 0));
    }
  }

  private void addLater(String said) {
    Matcher word = WORD.matcher(said.toLowerCase(Locale.ROOT));
    while (word.find()) {
      if (tells(word.group())) {
        laterWords.add(word.group());
      }
    }
  }

  /** Whether a word is rare enough to tell what is meant. */
  private static boolean tells(String word) {
    return word.length() > 6 || word.chars().anyMatch(Character::isDigit);
  }

  /** The first sentence, then those that a word of the user behind it refers to. */
  private String answer(String text) {
    List<String> sentences = TextCutter.sentences(text.strip());
    StringBuilder kept = new StringBuilder(sentences.isEmpty() ? "" : sentences.getFirst().strip());
    int more = 0;
    for (int i = 1; i < sentences.size() && more < REFERRED_SENTENCES; i++) {
      if (isReferredTo(sentences.get(i))) {
        kept.append(' ').append(sentences.get(i).strip());
        more++;
      }
    }
    return kept.toString();
  }

  private boolean isReferredTo(String sentence) {
    Matcher word = WORD.matcher(sentence.toLowerCase(Locale.ROOT));
    while (word.find()) {
      if (tells(word.group()) && laterWords.contains(word.group())) {
        return true;
      }
    }
    return false;
  }

  private static String text(SummaryRequest.Item item) {
    String content = References.content(item);
    return item.type().isCall()
        ? item.tool().orElse("") + " " + JSON_MARKS.matcher(content).replaceAll(" ")
        : content;
  }
}

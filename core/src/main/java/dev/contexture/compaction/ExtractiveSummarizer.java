package dev.contexture.compaction;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.compaction.summary.Inventory;
import dev.contexture.compaction.summary.Section;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.TextCutter;
import dev.contexture.compaction.summary.ToolKind;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Summarises without a model: the sections are filled from the blocks, newest first, and the
 * references of everything that is replaced follow. Deterministic, and within the target.
 *
 * <ol>
 *   <li>Each block gives entries to the sections that its type belongs to; those of the previous
 *       summary follow.
 *   <li>Half of the target is shared equally by the sections that have entries; what one leaves
 *       goes to the next.
 *   <li>The references take what is left.
 * </ol>
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class ExtractiveSummarizer implements Summarizer {
  private static final int LINE_CHARS = 200;
  private static final int MIN_TEXT_CHARS = 40;
  private static final int WHOLE_TEXT_CHARS = 78;
  private static final int CALLS_FOR_NOTES = 3;
  private static final Pattern JSON_MARKS = Pattern.compile("\"params\":|[{}\"]");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+|\\R+");
  private static final Pattern CONSTRAINT =
      Pattern.compile(
          "\\b(?:must|never|always|only|prefer|do not|don't|don’t)\\b", Pattern.CASE_INSENSITIVE);

  @Override
  public String summarize(SummaryRequest request) {
    boolean prefix = request.mode() == SummaryRequest.Mode.TURN_PREFIX;
    List<Section> sections = prefix ? Section.OF_PREFIX : Section.OF_SUMMARY;
    PreviousSummary previous = PreviousSummary.read(request.previous().orElse(""));
    Map<Section, LinkedHashSet<String>> entries = entries(request.input(), sections);
    for (Section section : sections) {
      entries
          .computeIfAbsent(section, unused -> new LinkedHashSet<>())
          .addAll(previous.of(section, sections));
    }
    String shown = sections(entries, request.targetTokens() / 2, request.meter());
    long left = request.targetTokens() - request.meter().texts(List.of(shown + "\n\n"));
    String references =
        Inventory.of(request.input(), previous.references(), request.remaining())
            .text(left, request.meter());
    return join(shown, references);
  }

  @Override
  public boolean isExtractive() {
    return true;
  }

  private static String join(String shown, String references) {
    if (shown.isEmpty() || references.isEmpty()) {
      String text = shown + references;
      return text.isEmpty() ? "(nothing to summarise)" : text;
    }
    return shown + "\n\n" + references;
  }

  private static Map<Section, LinkedHashSet<String>> entries(
      List<SummaryRequest.Item> oldestFirst, List<Section> sections) {
    Map<Section, LinkedHashSet<String>> entries = new EnumMap<>(Section.class);
    List<SummaryRequest.Item> notes = new ArrayList<>();
    List<SummaryRequest.Item> calls = new ArrayList<>();
    for (SummaryRequest.Item item : oldestFirst.reversed()) {
      BlockType type = item.type();
      if (type.equals(BlockType.USER_PROMPT)) {
        put(entries, Section.GOAL.in(sections), line(text(item), item));
        if (sections.contains(Section.CONSTRAINTS)) { // of a divided turn the request is quoted
          constraints(item).forEach(line -> put(entries, Section.CONSTRAINTS, line));
        }
      } else if (type.equals(BlockType.ASSISTANT_COMPLETION)) {
        put(entries, Section.DONE.in(sections), line(text(item), item));
      } else if (type.equals(BlockType.REACT_NOTE)) {
        put(entries, Section.DECISIONS.in(sections), line(text(item), item));
      } else if (type.equals(BlockType.REACT_NOTES)) {
        notes.add(item);
      } else if (type.isCall()) {
        calls.add(item);
      } else if (item.error()) {
        put(entries, Section.BLOCKED.in(sections), line(text(item), item));
      } else if (isWrittenFile(item)) {
        put(entries, Section.DONE.in(sections), "wrote " + item.path().orElseThrow());
      }
    }
    progress(entries, notes.isEmpty() ? newest(calls) : notes, sections);
    return entries;
  }

  /** Where the agent wrote no notes, its last calls tell what it was doing. */
  private static List<SummaryRequest.Item> newest(List<SummaryRequest.Item> calls) {
    return calls.subList(0, Math.min(CALLS_FOR_NOTES, calls.size()));
  }

  /** The newest note says what comes next, those before it what is under way. */
  private static void progress(
      Map<Section, LinkedHashSet<String>> entries,
      List<SummaryRequest.Item> newestFirst,
      List<Section> sections) {
    boolean prefix = sections.contains(Section.EARLY_PROGRESS);
    for (int i = 0; i < newestFirst.size(); i++) {
      SummaryRequest.Item item = newestFirst.get(i);
      Section section =
          prefix
              ? Section.EARLY_PROGRESS
              : i == 0 && item.type().equals(BlockType.REACT_NOTES)
                  ? Section.NEXT_STEPS
                  : Section.IN_PROGRESS;
      put(entries, section, line(text(item), item));
    }
  }

  private static void put(
      Map<Section, LinkedHashSet<String>> entries, Section section, String line) {
    if (!line.isEmpty()) {
      entries.computeIfAbsent(section, unused -> new LinkedHashSet<>()).add(line);
    }
  }

  private static List<String> constraints(SummaryRequest.Item prompt) {
    List<String> found = new ArrayList<>();
    for (String sentence : SENTENCE_END.split(text(prompt))) {
      if (CONSTRAINT.matcher(sentence).find()) {
        found.add(line(sentence, prompt));
      }
    }
    return found;
  }

  private static boolean isWrittenFile(SummaryRequest.Item item) {
    return item.type().isResult()
        && item.path().map(path -> path.kind() == BlockPath.Kind.FILE).orElse(false)
        && ToolKind.of(item.toolId()).writes();
  }

  private static String text(SummaryRequest.Item item) {
    String content = Inventory.content(item);
    return item.type().isCall()
        ? item.tool().orElse("") + " " + JSON_MARKS.matcher(content).replaceAll(" ")
        : content;
  }

  /**
   * An excerpt of the text on one line, with the path where the whole of it can be read. A longer
   * text is never repeated whole: a summary says less than what it stands for.
   */
  private static String line(String text, SummaryRequest.Item item) {
    String path = item.path().map(found -> " (" + found + ")").orElse("");
    int room = Math.max(MIN_TEXT_CHARS, LINE_CHARS - path.length());
    int length = text.strip().length();
    int most = length <= WHOLE_TEXT_CHARS ? room : Math.min(room, length * 3 / 4);
    String shown = TextCutter.line(text, most);
    return shown.isEmpty() ? "" : shown + path;
  }

  private static String sections(
      Map<Section, LinkedHashSet<String>> entries, long tokens, TokenMeter meter) {
    long filled = entries.values().stream().filter(lines -> !lines.isEmpty()).count();
    StringBuilder text = new StringBuilder();
    boolean underProgress = false;
    long unused = 0;
    for (Map.Entry<Section, LinkedHashSet<String>> section : entries.entrySet()) {
      boolean progress = section.getKey().isProgress();
      long share = section.getValue().isEmpty() ? 0 : tokens / filled + unused;
      boolean opensProgress = progress && !underProgress;
      String shown = section(section.getKey(), opensProgress, section.getValue(), share, meter);
      if (!section.getValue().isEmpty()) {
        unused = share - (shown.isEmpty() ? 0 : meter.texts(List.of(shown + "\n\n")));
      }
      if (!shown.isEmpty()) {
        underProgress |= progress;
        text.append(text.isEmpty() ? "" : "\n\n").append(shown);
      }
    }
    return text.toString();
  }

  /** The section with as many of its entries, in order, as its share holds. */
  private static String section(
      Section section,
      boolean opensProgress,
      Iterable<String> entries,
      long tokens,
      TokenMeter meter) {
    String heading = (opensProgress ? "## Progress\n" : "") + section.heading();
    StringBuilder text = new StringBuilder(heading);
    long used = meter.texts(List.of(heading + "\n\n"));
    int count = 0;
    for (String entry : entries) {
      String mark = section == Section.NEXT_STEPS ? (count + 1) + ". " : "- ";
      String line = "\n" + mark + entry;
      used += meter.texts(List.of(line));
      if (used > tokens) {
        break;
      }
      text.append(line);
      count++;
    }
    return count == 0 ? "" : text.toString();
  }
}

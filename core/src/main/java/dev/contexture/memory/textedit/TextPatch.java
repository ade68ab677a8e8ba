package dev.contexture.memory.textedit;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.SendableText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A unified diff of one text. All hunks are applied, or none.
 *
 * <p>A hunk belongs where its header says, if its context and removed lines stand there; else at
 * the only other place where they stand. Whether the text ends with a line feed stays as it is,
 * unless the diff says otherwise by {@code \ No newline at end of file}. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TextPatch implements TextEdit {
  private static final int MAX_PLACES_SHOWN = 5;

  private final List<DiffReader.Hunk> hunks;

  private TextPatch(List<DiffReader.Hunk> hunks) {
    this.hunks = hunks;
  }

  /**
   * Reads a unified diff; lines before the first hunk are not looked at.
   *
   * @throws ContextureException {@code invalid_argument} if it is none, or is about several texts
   */
  public static TextPatch parse(String diff) {
    return new TextPatch(new DiffReader(SendableText.of(diff)).hunks());
  }

  /** A hunk at its place, from line 0. */
  private record Placed(int number, DiffReader.Hunk hunk, int at) {
    int end() {
      return at + hunk.before().size();
    }
  }

  @Override
  public List<Splice> splices(String text) {
    TextLines now = TextLines.of(text);
    LineSearch search = new LineSearch(now.lines());
    List<Placed> placed = new ArrayList<>();
    for (int i = 0; i < hunks.size(); i++) {
      placed.add(new Placed(i + 1, hunks.get(i), place(i + 1, hunks.get(i), now, search)));
    }
    placed.sort(Comparator.comparingInt(Placed::at).thenComparingInt(Placed::number));
    boolean ended = now.size() == 0 || now.ended(); // what a diff adds to nothing ends its lines
    List<TextLines.Change> changes = new ArrayList<>();
    int done = 0;
    for (Placed each : placed) {
      if (each.at < done) {
        throw conflict(
            each.number, each.at + 1, "lines that no other hunk changes", "hunks overlap");
      }
      done = each.end();
      ended = ended(each, now, ended);
      changes.add(new TextLines.Change(each.at, each.hunk.before().size(), each.hunk.after()));
    }
    return now.splices(changes, ended);
  }

  /** Whether the text ends with a line feed behind this hunk; markers are only for its end. */
  private static boolean ended(Placed each, TextLines now, boolean before) {
    DiffReader.Hunk hunk = each.hunk;
    if (!hunk.openBefore() && !hunk.openAfter()) {
      return before;
    }
    boolean atEnd = each.end() == now.size();
    if (!atEnd || (hunk.openBefore() && now.ended())) {
      String found = atEnd ? "a line feed at the end" : "more lines";
      throw conflict(each.number, each.end(), "no line feed, as the end of the text", found);
    }
    return !hunk.openAfter();
  }

  private static int place(int number, DiffReader.Hunk hunk, TextLines now, LineSearch search) {
    List<String> wanted = hunk.before();
    int stated = hunk.start();
    if (wanted.isEmpty()) {
      if (stated > now.size()) {
        throw conflict(
            number, stated, "a line to insert behind", "the text has " + now.size() + " lines");
      }
      return stated;
    }
    if (stands(wanted, now.lines(), stated)) {
      return stated;
    }
    List<Integer> places = search.places(wanted, MAX_PLACES_SHOWN + 1);
    if (places.size() == 1) {
      return places.getFirst();
    }
    throw places.isEmpty() ? notThere(number, hunk, now) : several(number, hunk, places);
  }

  private static boolean stands(List<String> wanted, List<String> lines, int at) {
    return at >= 0
        && at + wanted.size() <= lines.size()
        && lines.subList(at, at + wanted.size()).equals(wanted);
  }

  /** Shows the first line that differs at the stated place. */
  private static ContextureException notThere(int number, DiffReader.Hunk hunk, TextLines now) {
    List<String> wanted = hunk.before();
    int i = 0;
    while (i < wanted.size() - 1
        && hunk.start() + i < now.size()
        && now.lines().get(hunk.start() + i).equals(wanted.get(i))) {
      i++;
    }
    int line = hunk.start() + i;
    String found = line < now.size() ? now.lines().get(line) : "the end of the text";
    return conflict(number, line + 1, wanted.get(i), found);
  }

  private static ContextureException several(
      int number, DiffReader.Hunk hunk, List<Integer> places) {
    List<String> shown =
        places.stream().limit(MAX_PLACES_SHOWN).map(at -> Integer.toString(at + 1)).toList();
    String count = places.size() > MAX_PLACES_SHOWN ? "more than " + MAX_PLACES_SHOWN : "";
    String found =
        (count.isEmpty() ? String.valueOf(places.size()) : count)
            + " places, at lines "
            + String.join(", ", shown);
    return conflict(number, hunk.start() + 1, "one place; give more context", found);
  }

  private static ContextureException conflict(int hunk, int line, String expected, String found) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("hunk", hunk);
    details.put("line", line);
    details.put("expected", expected);
    details.put("found", found);
    return new ContextureException(
        ErrorCode.PATCH_CONFLICT,
        "hunk "
            + hunk
            + " does not fit at line "
            + line
            + ": expected '"
            + expected
            + "', found '"
            + found
            + "'; read the text again and make a new diff, nothing was changed",
        details,
        null);
  }
}

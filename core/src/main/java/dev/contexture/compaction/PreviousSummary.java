package dev.contexture.compaction;

import dev.contexture.compaction.summary.Section;
import dev.contexture.compaction.summary.TextCutter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The entries of a summary text by section, whoever wrote it. */
public final class PreviousSummary {
  private static final Pattern HEADING = Pattern.compile("#{1,4} (.+)");
  private static final Pattern ENTRY = Pattern.compile("\\s*(?:[-*]|\\d+[.)])\\s+(.+)");

  private final Map<Section, List<String>> entries = new EnumMap<>(Section.class);
  private final Set<String> references = new LinkedHashSet<>();

  public static PreviousSummary read(String text) {
    PreviousSummary summary = new PreviousSummary();
    String title = "";
    for (String line : text.split("\n")) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        title = heading.group(1).strip();
      } else {
        summary.add(title, line.strip());
      }
    }
    return summary;
  }

  /** The entries that go into a section, newest first as they were written. */
  public List<String> of(Section section, List<Section> sections) {
    List<String> found = new ArrayList<>();
    entries.forEach(
        (own, lines) -> {
          if (own.in(sections) == section) {
            found.addAll(lines);
          }
        });
    return found;
  }

  public Set<String> references() {
    return references;
  }

  private void add(String title, String line) {
    if (line.isEmpty() || isFrame(line)) {
      return;
    }
    if (title.equals("References")) {
      references.addAll(Arrays.asList(line.split(" +")));
    } else if (title.equals("Recoverable paths")) {
      return; // they are carried on by themselves
    } else if (line.startsWith(SummaryText.REQUEST)) {
      if (!line.endsWith(SummaryText.SEE_BELOW)) {
        put(Section.GOAL, TextCutter.line(line.substring(SummaryText.REQUEST.length()), 200));
      }
    } else {
      Optional<Section> section = Section.titled(title);
      Matcher entry = ENTRY.matcher(line);
      put(section.orElse(Section.CRITICAL), entry.matches() ? entry.group(1) : line);
    }
  }

  private void put(Section section, String entry) {
    entries.computeIfAbsent(section, unused -> new ArrayList<>()).add(entry);
  }

  private static boolean isFrame(String line) {
    return line.equals("---")
        || line.equals(SummaryText.SPLIT_LABEL)
        || line.equals(SummaryText.NO_HISTORY);
  }
}

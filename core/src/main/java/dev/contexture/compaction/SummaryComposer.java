package dev.contexture.compaction;

import dev.contexture.compaction.summary.LeftOut;
import dev.contexture.compaction.summary.References;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryEntry;
import dev.contexture.compaction.summary.SummaryEntry.Kind;
import dev.contexture.compaction.summary.UserWords;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Fits what a summary could say into its target; headings, marks and paths count.
 *
 * <ol>
 *   <li>Half of the target belongs to the words of the user; more if they do not fit, since then
 *       all others together have 31 percent of it.
 *   <li>Of what they leave, prose has half, or all where a model wrote it; paths a quarter; single
 *       entries a third, or a tenth where the user's words do not fit; references the rest.
 *   <li>What is still free goes to the words of the user that had no room.
 * </ol>
 */
final class SummaryComposer {
  private static final int FRAME_TOKENS = 12; // a heading and the blank lines around it
  private static final int MIN_ROOM = 16;
  private static final int MAX_ATTEMPTS = 8;
  private static final int PERCENT_WHEN_CROWDED = 31;

  private final SummaryMaterial material;
  private final TokenMeter meter;
  private long mostReferences;

  SummaryComposer(SummaryMaterial material, TokenMeter meter) {
    this.material = material;
    this.meter = meter;
  }

  /**
   * What is said within so many tokens; a little of the user's words in any case.
   *
   * @param references the most that references may have
   */
  SummaryContent compose(long target, long references) {
    mostReferences = references;
    long aim = target;
    SummaryContent content = fit(aim);
    for (int attempt = 0; attempt < MAX_ATTEMPTS && aim > 1; attempt++) {
      long over = tokens(SummaryText.of(content, material.requestBelow())) - target;
      if (over <= 0) {
        return content;
      }
      aim = Math.max(1, aim - over - (attempt == 0 ? 2 : aim / 8));
      content = fit(aim);
    }
    return content;
  }

  /** What the words of the user leave of a target. */
  long leftForOthers(long target) {
    UserWords.Choice said = material.words().choose(target / 2);
    return Math.max(1, target - cost(said.entries()) - 2 * FRAME_TOKENS);
  }

  private SummaryContent fit(long target) {
    UserWords.Choice said = material.words().choose(target / 2);
    long rest = Math.max(0, target - cost(said.entries()) - FRAME_TOKENS);
    List<LeftOut> without = new ArrayList<>();
    boolean crowded = !said.leftOut().isEmpty() && material.writer() != SummaryContent.Writer.MODEL;
    List<SummaryEntry> others =
        others(
            crowded ? Math.min(rest, target * PERCENT_WHEN_CROWDED / 100) : rest,
            crowded ? 10 : 3,
            said.entries(),
            without);
    long free = rest - cost(others);
    if (free > MIN_ROOM && !said.leftOut().isEmpty()) {
      said = material.words().choose(target / 2 + free);
      others = withoutSaid(others, said.entries());
    }
    List<SummaryEntry> entries = new ArrayList<>(said.entries());
    entries.addAll(others);
    entries.sort(Comparator.comparingLong(SummaryEntry::seq));
    List<LeftOut> leftOut = new ArrayList<>(said.leftOut());
    leftOut.addAll(without);
    return new SummaryContent(
        entries,
        leftOut,
        material.leftOutBefore(),
        material.split(),
        material.listsPaths(),
        material.writer());
  }

  /** The entries, without references that the user's words name anyway. */
  private List<SummaryEntry> withoutSaid(List<SummaryEntry> others, List<SummaryEntry> said) {
    Set<String> named = new HashSet<>();
    said.forEach(entry -> named.addAll(References.wordsOf(entry.text())));
    List<SummaryEntry> kept = new ArrayList<>();
    for (SummaryEntry entry : others) {
      if (entry.kind() != Kind.REFERENCE) {
        kept.add(entry);
        continue;
      }
      String text = References.without(entry.text(), named);
      if (!text.isBlank()) {
        kept.add(new SummaryEntry(entry.kind(), entry.turn(), 0, null, text, entry.tokens()));
      }
    }
    return kept;
  }

  /**
   * @param lineParts of how many parts of the room lines have one
   */
  private List<SummaryEntry> others(
      long room, int lineParts, List<SummaryEntry> said, List<LeftOut> without) {
    List<SummaryEntry> kept = new ArrayList<>();
    boolean proseAlone = material.lines().isEmpty();
    long left = room - prose(proseAlone ? room : room / 2, kept);
    left -= files(left / 4, kept);
    left -= lines(left / lineParts, kept, without);
    references(Math.min(left - FRAME_TOKENS, mostReferences), said, kept);
    return kept;
  }

  private long prose(long room, List<SummaryEntry> kept) {
    long used = 0;
    int pieces = material.prose().size();
    for (SummaryEntry entry : material.prose()) {
      long share = (room - used) / pieces--;
      String text = share < 3 ? "" : TextBounds.text(entry.text(), share - 2, meter);
      if (!text.isEmpty()) {
        long cost = tokens(text) + 2;
        kept.add(new SummaryEntry(entry.kind(), entry.turn(), 0, null, text, cost));
        used += cost;
      }
    }
    return used;
  }

  /** The paths, newest first, while they fit; kept but not shown where nobody can read them. */
  private long files(long room, List<SummaryEntry> kept) {
    if (!material.listsPaths()) {
      material.files().forEach(kept::add);
      return 0;
    }
    long used = material.files().isEmpty() ? 0 : FRAME_TOKENS;
    long before = used;
    for (SummaryEntry file : material.files()) {
      long cost = tokens(SummaryText.fileLine(file) + "\n");
      if (used + cost > room) {
        break;
      }
      used += cost;
      kept.add(file.costing(cost));
    }
    return used == before ? 0 : used;
  }

  private long lines(long room, List<SummaryEntry> kept, List<LeftOut> without) {
    long used = 0;
    List<SummaryEntry> shown = new ArrayList<>();
    for (SummaryEntry entry : material.lines()) {
      long cost = tokens(SummaryText.line(entry, material.listsPaths()) + "\n");
      if (used + cost <= room) {
        used += cost;
        shown.add(entry.costing(cost));
      } else {
        String path = entry.path().map(Object::toString).orElse("");
        without.add(new LeftOut(path, entry.kind(), cost));
      }
    }
    kept.addAll(shown);
    return used;
  }

  private void references(long room, List<SummaryEntry> said, List<SummaryEntry> kept) {
    if (room < 1) {
      return;
    }
    List<String> shown = new ArrayList<>(material.remaining());
    said.forEach(entry -> shown.add(entry.text()));
    kept.stream()
        .filter(entry -> entry.kind() != Kind.FILE || material.listsPaths())
        .forEach(entry -> shown.add(entry.text()));
    String text =
        References.of(material.items(), material.referencesBefore(), shown).text(room, meter);
    if (!text.isEmpty()) {
      kept.add(
          new SummaryEntry(
              Kind.REFERENCE, material.turn(), 0, null, text, tokens(text) + FRAME_TOKENS / 2));
    }
  }

  private static long cost(List<SummaryEntry> entries) {
    return entries.stream().mapToLong(SummaryEntry::tokens).sum();
  }

  private long tokens(String text) {
    return meter.texts(List.of(text));
  }
}

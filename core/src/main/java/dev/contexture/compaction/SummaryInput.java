package dev.contexture.compaction;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.TextCutter;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.timeline.Window;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emission;
import dev.contexture.view.Emitter;
import dev.contexture.view.Media;
import dev.contexture.view.Part;
import dev.contexture.view.Reader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The input of a summariser: blocks as a transcript shows them, replaced ones as replaced, large
 * results as previews; in chunks where that is more than the summariser can read.
 */
final class SummaryInput {
  private static final int MAX_CHUNKS = 32;
  private static final long RESULT_TOKENS = 3_000;
  private static final int MIN_PREVIEW_CHARS = 40;
  private static final int NEVER_OVER_CHARS = 1_000; // a character has at most three tokens
  private static final TokenMeter CHEAP = TokenMeter.of(TokenCounter.CHARS4);

  private final Timeline timeline;
  private final Emitter transcript;
  private final TokenMeter meter;
  private final int previewChars;
  private final Rounds rounds;
  private final CutUnits units;
  private final IdentityHashMap<TimelineEntry, Integer> positions = new IdentityHashMap<>();

  SummaryInput(Timeline timeline, Window window, TokenMeter meter, int previewChars) {
    this.timeline = timeline;
    this.meter = meter;
    this.transcript = new Emitter(Dialect.TRANSCRIPT, Reader.ANY, CHEAP);
    this.previewChars = previewChars;
    this.rounds = Rounds.of(window);
    this.units = CutUnits.of(timeline, window, rounds);
    for (int i = 0; i < window.entries().size(); i++) {
      positions.put(window.entries().get(i), i);
    }
  }

  /** Whether blocks of this type say something that a summary is about. */
  static boolean isGiven(BlockType type) {
    return !type.equals(BlockType.TURN_HEADER) && isShown(type);
  }

  private static boolean isShown(BlockType type) {
    return !type.has(BlockType.Flag.QUIET) && !type.has(BlockType.Flag.NATIVE_ONLY);
  }

  /** The blocks as items, without those that are never shown to a summariser. */
  List<SummaryRequest.Item> items(List<TimelineEntry> entries) {
    List<SummaryRequest.Item> items = new ArrayList<>(entries.size());
    for (TimelineEntry entry : entries) {
      if (isShown(entry.block().type())) {
        SummaryRequest.Item item = item(entry);
        if (!item.text().isEmpty()) {
          items.add(item);
        }
      }
    }
    return items;
  }

  /**
   * The items in chunks of so many tokens, divided between units; a block that is larger enters as
   * a preview. Empty if there would be too many chunks.
   *
   * @param first room of the first chunk
   * @param others room of the others
   */
  List<List<SummaryRequest.Item>> chunks(List<TimelineEntry> entries, long first, long others) {
    List<List<SummaryRequest.Item>> chunks = new ArrayList<>();
    List<SummaryRequest.Item> chunk = new ArrayList<>();
    long used = 0;
    for (List<TimelineEntry> unit : byUnit(entries)) {
      List<SummaryRequest.Item> items = fitting(unit, Math.min(first, others));
      long tokens = tokens(items);
      boolean whole = tokens <= Math.min(first, others);
      for (List<SummaryRequest.Item> piece : whole ? List.of(items) : oneByOne(items)) {
        long size = tokens(piece);
        if (!chunk.isEmpty() && used + size > (chunks.isEmpty() ? first : others)) {
          chunks.add(chunk);
          chunk = new ArrayList<>();
          used = 0;
        }
        chunk.addAll(piece);
        used += size;
      }
    }
    chunks.add(chunk);
    return chunks.size() > MAX_CHUNKS || Math.min(first, others) < 1 ? List.of() : chunks;
  }

  private List<List<TimelineEntry>> byUnit(List<TimelineEntry> entries) {
    List<List<TimelineEntry>> found = new ArrayList<>();
    int unit = -1;
    for (TimelineEntry entry : entries) {
      int own = units.firstOf(positions.getOrDefault(entry, 0));
      if (own != unit || found.isEmpty()) {
        found.add(new ArrayList<>());
        unit = own;
      }
      found.getLast().add(entry);
    }
    return found;
  }

  private List<SummaryRequest.Item> fitting(List<TimelineEntry> entries, long room) {
    List<SummaryRequest.Item> fitting = new ArrayList<>();
    for (SummaryRequest.Item item : items(entries)) {
      fitting.add(tokens(List.of(item)) <= room ? item : shortened(item, room));
    }
    return fitting;
  }

  private static List<List<SummaryRequest.Item>> oneByOne(List<SummaryRequest.Item> items) {
    return items.stream().map(List::of).toList();
  }

  private long tokens(List<SummaryRequest.Item> items) {
    return meter.texts(items.stream().map(SummaryRequest.Item::text).toList());
  }

  /** The item with as much of its text as fits, the middle left out. */
  private SummaryRequest.Item shortened(SummaryRequest.Item item, long room) {
    int chars = previewChars;
    SummaryRequest.Item shown = shortened(item, chars);
    while (chars > MIN_PREVIEW_CHARS && tokens(List.of(shown)) > room) {
      chars /= 2;
      shown = shortened(item, chars);
    }
    return shown;
  }

  private SummaryRequest.Item shortened(SummaryRequest.Item item, int chars) {
    long cost = tokens(List.of(item));
    String text =
        item.path()
            .map(path -> Previews.text(item.text(), path, cost, chars))
            .orElseGet(() -> TextCutter.first(item.text(), chars));
    return new SummaryRequest.Item(
        item.type(), item.turn(), item.seq(), item.blockPath(), item.toolId(), item.error(), text);
  }

  private SummaryRequest.Item item(TimelineEntry entry) {
    Block block = entry.block();
    String tool = tool(entry);
    Visibility visibility = timeline.visibility(entry).orElse(null);
    Emission emission =
        visibility == null
            ? transcript.own(entry, tool)
            : transcript.replaced(entry, visibility, tool);
    String text = text(emission);
    if (visibility == null && block.type().isResult() && text.length() > NEVER_OVER_CHARS) {
      text = previewIfLarge(entry, text, tool);
    }
    return new SummaryRequest.Item(
        block.type(),
        entry.turn(),
        entry.seq().orElse(0),
        block.path().orElse(null),
        tool,
        block.type().isResult() && block.isError(),
        text);
  }

  private String previewIfLarge(TimelineEntry entry, String text, @Nullable String tool) {
    long tokens = meter.texts(List.of(text));
    if (tokens <= RESULT_TOKENS) {
      return text;
    }
    return Previews.of(entry, Visibility.ALL_VIEWS, previewChars, Instant.EPOCH)
        .map(record -> text(transcript.replaced(entry, record, tool)))
        .orElse(text);
  }

  private @Nullable String tool(TimelineEntry entry) {
    Integer position = positions.get(entry);
    return entry
        .ownToolId()
        .or(
            () ->
                position == null
                    ? Optional.empty()
                    : rounds
                        .calledBy(position)
                        .flatMap(Round::call)
                        .flatMap(TimelineEntry::ownToolId))
        .orElse(null);
  }

  private static String text(Emission emission) {
    StringBuilder text = new StringBuilder();
    for (Part part : emission.parts()) {
      switch (part) {
        case Part.Text plain -> text.append(plain.text());
        case Part.Image image -> text.append(Media.marker(image.mediaType(), image.data()));
        case Part.Document pdf -> text.append(Media.marker(pdf.mediaType(), pdf.data()));
        case Part.ToolCall _unused -> throw new IllegalStateException("a transcript has no calls");
        case Part.ToolResult _unused ->
            throw new IllegalStateException("a transcript has no results");
        case Part.Opaque _unused -> throw new IllegalStateException("a transcript has no opaque");
      }
    }
    return text.toString().stripTrailing();
  }
}

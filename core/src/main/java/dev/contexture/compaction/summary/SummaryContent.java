package dev.contexture.compaction.summary;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The content of a summary, as entries; its text is made of them by fixed rules, and the next
 * compaction starts from them.
 *
 * @param entries in the order in which they are shown, oldest first within a kind
 * @param leftOut what had no room in this compaction
 * @param leftOutBefore how many messages of the user earlier ones left out
 * @param split the turn that the summary divides
 * @param listsPaths whether whoever reads the summary can read paths
 * @param writer who wrote what is not the user's
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record SummaryContent(
    List<SummaryEntry> entries,
    List<LeftOut> leftOut,
    long leftOutBefore,
    @Nullable TurnId split,
    boolean listsPaths,
    Writer writer) {
  private static final String ENTRIES = "entries";

  /** Where a summary keeps its receipt. */
  public static final String RECEIPT = "receipt";

  private static final String LEFT_OUT = "left_out";
  private static final String UNREAD = "paths_without_reader";
  private static final String LEFT_OUT_BEFORE = "left_out_before";

  public SummaryContent {
    entries = List.copyOf(entries);
    leftOut = List.copyOf(leftOut);
  }

  /** The writer of everything in a summary that is not the user's. */
  public enum Writer {
    BUILT_IN,
    MODEL,
    /** The built-in one, because the model failed. */
    FALLBACK;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The entries of a stored summary; one of kind {@code earlier} if it was stored without any. */
  public static List<SummaryEntry> entriesOf(Summary summary) {
    Optional<JsonArray> stored = summary.meta().array(ENTRIES);
    if (stored.isEmpty()) {
      return List.of(
          new SummaryEntry(SummaryEntry.Kind.EARLIER, summary.turn(), 0, null, summary.text(), 0));
    }
    return stored.get().items().stream().flatMap(json -> SummaryEntry.of(json).stream()).toList();
  }

  /** What a stored summary had no room for. */
  public static List<LeftOut> leftOutOf(Summary summary) {
    return receiptOf(summary).flatMap(receipt -> receipt.array(LEFT_OUT)).stream()
        .flatMap(array -> array.items().stream())
        .flatMap(json -> LeftOut.of(json).stream())
        .toList();
  }

  /** How many messages of the user the summaries before a stored one left out. */
  public static long leftOutBefore(Summary summary) {
    return receiptOf(summary)
        .map(receipt -> SummaryEntry.number(receipt, LEFT_OUT_BEFORE))
        .orElse(0L);
  }

  /** Whether paths were not listed because no tool of the request can read them. */
  public static boolean isWithoutReader(Summary summary) {
    return receiptOf(summary).map(receipt -> receipt.isTrue(UNREAD)).orElse(false);
  }

  /** What a stored summary kept and left out, by kind, and who wrote it. */
  public static Optional<JsonObject> receiptOf(Summary summary) {
    return summary.meta().object(RECEIPT);
  }

  /** The entries of a kind. */
  public List<SummaryEntry> of(SummaryEntry.Kind kind) {
    return entries.stream().filter(entry -> entry.kind() == kind).toList();
  }

  /** What is stored with a summary. */
  public JsonObject toJson() {
    JsonObject.Builder json = JsonObject.builder();
    json.put(
        ENTRIES, new JsonArray(entries.stream().<JsonValue>map(SummaryEntry::toJson).toList()));
    return json.put(RECEIPT, receipt()).build();
  }

  private JsonObject receipt() {
    JsonObject.Builder tokens = JsonObject.builder();
    for (SummaryEntry.Kind kind : SummaryEntry.Kind.values()) {
      long kept = of(kind).stream().mapToLong(SummaryEntry::tokens).sum();
      long less =
          leftOut.stream().filter(left -> left.kind() == kind).mapToLong(LeftOut::tokens).sum();
      if (kept + less > 0) {
        tokens.put(
            kind.wireName(), JsonObject.builder().put("kept", kept).put(LEFT_OUT, less).build());
      }
    }
    List<JsonValue> left = new ArrayList<>();
    leftOut.forEach(one -> left.add(one.toJson()));
    return JsonObject.builder()
        .put("tokens", tokens.build())
        .put(LEFT_OUT, new JsonArray(left))
        .put(LEFT_OUT_BEFORE, leftOutBefore)
        .put("writer", writer.wireName())
        .put(UNREAD, !listsPaths && !of(SummaryEntry.Kind.FILE).isEmpty())
        .build();
  }
}

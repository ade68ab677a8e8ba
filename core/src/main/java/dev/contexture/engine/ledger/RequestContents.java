package dev.contexture.engine.ledger;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.Omission;
import dev.contexture.timeline.Summary;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a conversation and of memory that a request shows and leaves out: kept with its
 * record, so that the reason can be told later, whatever changed since. Immutable.
 *
 * @param shown the sequence numbers of the blocks that it shows
 * @param newest the last sequence number that the conversation had
 * @param summary the id of the summary that it shows; null: none
 * @param cutSeq the first block that the summary does not stand for; 0: there is none
 * @param pinned the paths that it repeats because they are pinned
 * @param memory the memory blocks that it shows
 * @param dropped what it does not show, and why
 * @param truncated what it does not show whole, and why
 * @param limits that it was fitted to
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public record RequestContents(
    List<Span> shown,
    long newest,
    @Nullable String summary,
    long cutSeq,
    List<String> pinned,
    List<String> memory,
    List<Omission> dropped,
    List<Omission> truncated,
    JsonObject limits) {
  private static final int MOST_OMISSIONS = 200; // of each kind; those of newer blocks are kept
  private static final Set<String> FIELDS =
      Set.of(
          "shown",
          "newest",
          "summary",
          "cut_seq",
          "pinned",
          "memory",
          "dropped",
          "truncated",
          "limits");

  public RequestContents {
    shown = List.copyOf(shown);
    pinned = List.copyOf(pinned);
    memory = List.copyOf(memory);
    dropped = List.copyOf(dropped);
    truncated = List.copyOf(truncated);
  }

  /** Sequence numbers from the first to the last of them. */
  public record Span(long from, long to) {
    boolean contains(long seq) {
      return from <= seq && seq <= to;
    }
  }

  /**
   * What a view shows.
   *
   * @param unsent its items that the provider's format or the model did not take
   */
  public static RequestContents of(View view, List<StreamItem> unsent, ContextMetadata metadata) {
    Set<Long> shown = new TreeSet<>();
    List<String> pinned = new ArrayList<>();
    for (StreamItem item : view.items()) {
      if (item.pinned()) {
        item.path().ifPresent(path -> pinned.add(path.text()));
      } else {
        item.seq().ifPresent(shown::add);
      }
    }
    unsent.forEach(item -> item.seq().ifPresent(shown::remove));
    Optional<Summary> summary = view.window().summary();
    return new RequestContents(
        spans(shown),
        view.timeline().nextSeq() - 1,
        summary.map(Summary::id).orElse(null),
        summary.map(Summary::cutSeq).orElse(0L),
        pinned,
        metadata.blockLabels(),
        newest(metadata.dropped()),
        newest(metadata.truncated()),
        metadata.toJson().object("limits").orElse(JsonObject.EMPTY));
  }

  private static List<Span> spans(Set<Long> sorted) {
    List<Span> spans = new ArrayList<>();
    for (long seq : sorted) {
      if (!spans.isEmpty() && spans.getLast().to() == seq - 1) {
        spans.add(new Span(spans.removeLast().from(), seq));
      } else {
        spans.add(new Span(seq, seq));
      }
    }
    return spans;
  }

  private static List<Omission> newest(List<Omission> all) {
    return all.subList(Math.max(0, all.size() - MOST_OMISSIONS), all.size());
  }

  boolean shows(long seq) {
    return shown.stream().anyMatch(span -> span.contains(seq));
  }

  JsonObject write() {
    return JsonObject.builder()
        .put("shown", write(shown))
        .put("newest", newest)
        .putIfPresent("summary", summary)
        .put("cut_seq", cutSeq)
        .put("pinned", JsonArray.ofStrings(pinned))
        .put("memory", JsonArray.ofStrings(memory))
        .put("dropped", omissions(dropped))
        .put("truncated", omissions(truncated))
        .put("limits", limits)
        .build();
  }

  private static JsonArray write(List<Span> spans) {
    List<JsonValue> pairs = new ArrayList<>();
    spans.forEach(span -> pairs.add(JsonValue.of(span.from() + "-" + span.to())));
    return new JsonArray(pairs);
  }

  static JsonArray omissions(List<Omission> omissions) {
    return new JsonArray(omissions.stream().map(one -> (JsonValue) one.toJson()).toList());
  }

  static RequestContents read(JsonObject json) {
    JsonFields fields = JsonFields.of(json, FIELDS);
    return new RequestContents(
        spans(fields.strings("shown")),
        fields.number("newest").orElse(0),
        fields.string("summary").orElse(null),
        fields.number("cut_seq").orElse(0),
        fields.strings("pinned"),
        fields.strings("memory"),
        fields.objects("dropped").stream().map(Omission::fromJson).toList(),
        fields.objects("truncated").stream().map(Omission::fromJson).toList(),
        fields.object("limits").orElse(JsonObject.EMPTY));
  }

  private static List<Span> spans(List<String> pairs) {
    List<Span> spans = new ArrayList<>();
    for (String pair : pairs) {
      int dash = pair.indexOf('-');
      spans.add(
          new Span(
              Long.parseLong(pair.substring(0, dash)), Long.parseLong(pair.substring(dash + 1))));
    }
    return spans;
  }
}

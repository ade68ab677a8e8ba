package dev.contexture.compaction.summary;

import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a summary says.
 *
 * @param kind what kind of thing
 * @param turn the turn that it is from
 * @param seq the sequence number of its block, which orders the entries; 0 if it has none
 * @param blockPath where the whole of it can be read
 * @param text what is said; of the user, verbatim
 * @param tokens what it costs in the summary; 0 while it is not shown
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record SummaryEntry(
    Kind kind, TurnId turn, long seq, @Nullable BlockPath blockPath, String text, long tokens) {

  /** The kinds, in the order in which a summary shows them. */
  public enum Kind {
    /** Words of the user, verbatim. */
    USER,
    /** A summary that was made before summaries had entries. */
    EARLIER,
    /** The text of a model about whole turns. */
    PROSE,
    /** The text of a model about the beginning of the divided turn. */
    PREFIX,
    /** The first sentences of an answer, and what the user referred to later. */
    ANSWER,
    /** What was noted as decided. */
    DECISION,
    /** A tool that failed. */
    ERROR,
    /** What is under way in the turn that is still open. */
    PROGRESS,
    /** Identifiers that are needed to go on. */
    REFERENCE,
    /** What can be read again by its path. */
    FILE;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Kind> named(String name) {
      return Arrays.stream(values()).filter(kind -> kind.wireName().equals(name)).findFirst();
    }
  }

  public Optional<BlockPath> path() {
    return Optional.ofNullable(blockPath);
  }

  public SummaryEntry costing(long cost) {
    return new SummaryEntry(kind, turn, seq, blockPath, text, cost);
  }

  JsonObject toJson() {
    JsonObject.Builder json = JsonObject.builder();
    json.put("kind", kind.wireName()).put("turn", turn.value());
    if (seq > 0) {
      json.put("seq", seq);
    }
    path().ifPresent(path -> json.put("path", path.text()));
    return json.put("text", text).put("tokens", tokens).build();
  }

  /** The entry of this form; empty if it is of a kind that is not known. */
  static Optional<SummaryEntry> of(JsonValue value) {
    if (!(value instanceof JsonObject json)) {
      return Optional.empty();
    }
    return json.string("kind")
        .flatMap(Kind::named)
        .map(
            kind ->
                new SummaryEntry(
                    kind,
                    TurnId.of(json.string("turn").orElseThrow()),
                    number(json, "seq"),
                    json.string("path")
                        .filter(BlockPath::isValid)
                        .map(BlockPath::parse)
                        .orElse(null),
                    json.string("text").orElse(""),
                    number(json, "tokens")));
  }

  static long number(JsonObject json, String key) {
    return json.find(key).map(n -> Long.parseLong(n.toJson())).orElse(0L);
  }
}
